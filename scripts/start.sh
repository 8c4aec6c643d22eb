# Starts the program; sourced by ./kindred and by the launcher of the distribution archive.
# kindred_java=JAVA kindred_classes=CLASS_PATH kindred_archive=FILE, kindred_main=CLASS, then:
# kindred_start [argument...]

# The program loads the Vector API itself: with --add-modules the JVM would print a warning about incubator modules at
# every start, which no other option suppresses. This option lets the program load the module.
kindred_vector=--add-exports=java.base/jdk.internal.module=ALL-UNNAMED

# The archive of loaded classes halves the time to start; everything works without it.
kindred_archive_classes() {
  "$kindred_java" -XX:+UseParallelGC "$kindred_vector" "-XX:ArchiveClassesAtExit=$kindred_archive.$$" \
    -cp "$kindred_classes" "$kindred_main" --help >/dev/null 2>&1 || true
  # A process that starts at the same time finds a complete archive or none.
  if [ -f "$kindred_archive.$$" ]; then mv -f "$kindred_archive.$$" "$kindred_archive"; fi
}

# kindred_measure FD: kindred_columns becomes the width of the terminal there, 0 where there is no terminal.
kindred_measure() {
  kindred_columns=0
  if [ ! -t "$1" ]; then return 0; fi
  # Inside the substitution, standard output is not a terminal.
  { kindred_columns=$(stty size <&3 2>/dev/null) || kindred_columns=; } 3>&"$1"
  kindred_columns=${kindred_columns#* }
  case $kindred_columns in '' | 0 | *[!0-9]*) kindred_columns=80 ;; esac
}

kindred_start() {
  # Workers use all cores; native libraries that start additional threads make each step many times
  # slower, and read these variables before any code of Kindred runs.
  export OMP_NUM_THREADS="${OMP_NUM_THREADS:-1}" OPENBLAS_NUM_THREADS="${OPENBLAS_NUM_THREADS:-1}"
  # Java cannot ask for these widths itself.
  kindred_measure 1
  kindred_widths=-Dkindred.stdout.columns=$kindred_columns
  kindred_measure 2
  kindred_widths="$kindred_widths -Dkindred.stderr.columns=$kindred_columns"
  # Models take most of the memory, and Java's default of a quarter of the machine's memory is soon too little for them.
  # The parallel collector packs models tightly; the default one gives each model whole regions, a fifth more for some sizes.
  # KINDRED_JAVA_OPTIONS is split on purpose, and so are the other two: they hold several options.
  # shellcheck disable=SC2086
  exec "$kindred_java" -XX:+UseParallelGC -XX:MaxRAMPercentage=70 "$kindred_vector" --enable-native-access=ALL-UNNAMED \
    -Xlog:disable -Xshare:auto "-XX:SharedArchiveFile=$kindred_archive" \
    -Djava.awt.headless=true $kindred_widths ${kindred_options:-} ${KINDRED_JAVA_OPTIONS:-} \
    -cp "$kindred_classes" "$kindred_main" "$@"
}
