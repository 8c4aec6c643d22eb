# Finds a JDK 25 of at least 25.0.3 and exports JAVA_HOME; prints one line and exits with code 2 if there is none.
# Sourced by ./x and ./kindred, so that both always take the same JDK.

kindred_jdk_is_good() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 1
  version=$(sed -n 's/^JAVA_VERSION="\([^"]*\)".*/\1/p' "$1/release")
  case $version in
    25.0.[0-2]) return 1 ;; # known to corrupt memory that native code holds
    25.*.*) return 0 ;;
    *) return 1 ;;
  esac
}

kindred_find_jdk() {
  for candidate in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" /usr/lib/jvm/* /Library/Java/JavaVirtualMachines/*/Contents/Home \
    "$HOME"/.jdks/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.m2/jdks/*; do
    if [ -n "$candidate" ] && kindred_jdk_is_good "$candidate"; then
      JAVA_HOME=$candidate
      export JAVA_HOME
      return 0
    fi
  done
  echo "kindred: no JDK 25 (25.0.3 or later) found; install one (for example Temurin 25) or set JAVA25_HOME to its folder" >&2
  return 1
}

kindred_find_jdk || exit 2
