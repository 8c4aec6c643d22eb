# Options of Java that Spark needs; sourced by ./kindred and scripts/spark.

# Spark accesses these packages of the JDK, which its own start scripts also open, and memory.
spark_options=--sun-misc-unsafe-memory-access=allow
for package in java.lang java.lang.invoke java.nio java.util java.util.concurrent sun.nio.ch; do
  spark_options="$spark_options --add-opens=java.base/$package=ALL-UNNAMED"
done

# The command line brings a logging backend for nodes; Spark keeps its own, and slf4j prints neither a warning about two nor which one it loads.
spark_options="$spark_options -Dslf4j.provider=org.apache.logging.slf4j.SLF4JServiceProvider -Dslf4j.internal.verbosity=WARN"

# spark_asked [argument...]: whether a command line asks for cells on a cluster.
spark_asked() {
  before=
  for word; do
    case $before$word in --enginespark | *--engine=spark) return 0 ;; esac
    before=
    [ "$word" = --engine ] && before=--engine
  done
  return 1
}
