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

# kindred_config ARGUMENT...: kindred_config becomes the file that --config names.
kindred_config() {
  kindred_config=
  while [ $# -gt 0 ]; do
    case $1 in
      --config) kindred_config=${2:-} ;;
      --config=*) kindred_config=${1#--config=} ;;
    esac
    shift
  done
}

# kindred_memory ARGUMENT...: kindred_limits becomes the options that bound the memory of the process. A node takes at most
# the 'memoryMegabytes' of its configuration, a quarter of the machine if that key is not there; any other command takes 70 %.
kindred_memory() {
  kindred_limits=-XX:MaxRAMPercentage=70
  if [ "${1:-} ${2:-}" != 'node start' ]; then return 0; fi
  kindred_limits=-XX:MaxRAMPercentage=25
  kindred_config "$@"
  if [ ! -r "$kindred_config" ]; then return 0; fi
  kindred_megabytes=
  while IFS=: read -r key value || [ -n "$key" ]; do
    if [ "$key" = memoryMegabytes ]; then kindred_megabytes=${value%%#*}; fi
  done <"$kindred_config"
  kindred_megabytes=${kindred_megabytes# }
  kindred_megabytes=${kindred_megabytes%% *}
  # Java reports any other value with its place.
  case $kindred_megabytes in '' | *[!0-9]*) return 0 ;; esac
  if [ "$kindred_megabytes" -lt 320 ]; then return 0; fi
  # Classes, compiled code and threads take about 160 MB beside objects and the buffers of connections.
  kindred_objects=$(((kindred_megabytes - 160) * 3 / 4))
  kindred_limits="-Xmx${kindred_objects}m -XX:MaxDirectMemorySize=$((kindred_megabytes - 160 - kindred_objects))m"
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
  kindred_memory "$@"
  # KINDRED_JAVA_OPTIONS is split on purpose, and so are the others: they hold several options.
  # shellcheck disable=SC2086
  exec "$kindred_java" -XX:+UseParallelGC $kindred_limits "$kindred_vector" --enable-native-access=ALL-UNNAMED \
    -Xlog:disable -Xshare:auto "-XX:SharedArchiveFile=$kindred_archive" \
    -Djava.awt.headless=true $kindred_widths ${kindred_options:-} ${KINDRED_JAVA_OPTIONS:-} \
    -cp "$kindred_classes" "$kindred_main" "$@"
}
