package io.kindred.architecture;

import java.util.List;

/** A use that could make two runs of one seed differ, and its replacement. */
record Ban(String name, List<UsePattern> uses, String remedy) {
  Ban {
    uses = List.copyOf(uses);
  }

  private static Ban of(String name, String remedy, String... uses) {
    return new Ban(name, UsePattern.of(List.of(uses)), remedy);
  }

  static final Ban CLOCK =
      of(
          "clock",
          "take the tick from the event; a shell that must measure takes a LongSupplier from outside",
          "java.lang.System#currentTimeMillis",
          "java.lang.System#nanoTime",
          "java.time.*#now",
          "java.time.Clock",
          "java.time.InstantSource",
          "java.util.Date",
          "java.util.Calendar",
          "java.util.Timer");

  static final Ban RANDOM =
      of(
          "global or unseeded random",
          "derive a RandomStream from (run seed, purpose, peer, counter) with RandomStreams",
          "java.util.Random",
          "java.util.SplittableRandom",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.random.*",
          "java.security.SecureRandom",
          "java.lang.Math#random",
          "java.lang.StrictMath#random",
          "java.util.UUID#randomUUID",
          "java.util.Collections#shuffle");

  static final Ban THREADS =
      of(
          "threads of our own",
          "return a Compute effect; the shell decides on which thread a ticket runs",
          "java.lang.Thread",
          "java.util.concurrent.Executors",
          "java.util.concurrent.ForkJoin*",
          "java.util.concurrent.RecursiveTask",
          "java.util.concurrent.RecursiveAction",
          "java.util.concurrent.ThreadPoolExecutor",
          "java.util.concurrent.StructuredTaskScope",
          "java.util.concurrent.CompletableFuture#supplyAsync(Supplier)",
          "java.util.concurrent.CompletableFuture#runAsync(Runnable)",
          "java.util.Collection#parallelStream",
          "java.util.stream.BaseStream#parallel",
          "java.util.Arrays#parallelSort",
          "java.util.Arrays#parallelPrefix",
          "java.util.Arrays#parallelSetAll");

  /** Separate from {@link #THREADS}: the worker pool may use an executor but never create one. */
  static final Ban EXECUTORS =
      of(
          "executors",
          "return a Compute effect, or submit to Workers, which takes its executor from outside",
          "java.util.concurrent.Executor",
          "java.util.concurrent.ExecutorService",
          "java.util.concurrent.ScheduledExecutorService",
          "java.util.concurrent.CompletableFuture",
          "java.util.concurrent.CompletionService",
          "java.util.concurrent.ExecutorCompletionService");

  static final Ban FILES =
      of(
          "files",
          "take bytes and give bytes; files opens and writes them",
          "java.nio.file.*",
          "java.nio.channels.*",
          "java.io.File*",
          "java.io.RandomAccessFile");

  static final Ban NETWORK =
      of(
          "network",
          "return a Send effect; node owns the transport",
          "java.net.Socket",
          "java.net.ServerSocket",
          "java.net.DatagramSocket",
          "java.net.InetAddress",
          "java.net.URL",
          "java.net.URLConnection",
          "java.net.HttpURLConnection",
          "java.net.http.*",
          "javax.net.*");

  static final Ban CONSOLE =
      of(
          "console and log",
          "return an Observe effect, or throw with expected and actual",
          "java.lang.System#out",
          "java.lang.System#err",
          "java.lang.System#in",
          "java.io.Console",
          "java.io.PrintStream",
          "java.lang.IO",
          "java.lang.System#getLogger",
          "java.lang.System$Logger",
          "java.util.logging.*",
          "java.lang.Throwable#printStackTrace");

  static final Ban ENVIRONMENT =
      of(
          "machine and environment",
          "make it a setting: a record component that the run folder records",
          "java.lang.System#getenv",
          "java.lang.System#getProperty",
          "java.lang.System#getProperties",
          "java.lang.System#lineSeparator",
          "java.lang.System#exit",
          "java.lang.Integer#getInteger",
          "java.lang.Long#getLong",
          "java.lang.Boolean#getBoolean",
          "java.lang.Runtime",
          "java.lang.Process*",
          "java.lang.management.*",
          "java.util.TimeZone#getDefault",
          "java.time.ZoneId#systemDefault");

  static final Ban CHARSET =
      of(
          "default charset",
          "name StandardCharsets.UTF_8",
          "java.lang.String#getBytes()",
          "java.lang.String#<init>(byte[])",
          "java.lang.String#<init>(byte[],int,int)",
          "java.nio.charset.Charset#defaultCharset",
          "java.io.InputStreamReader#<init>(InputStream)",
          "java.io.OutputStreamWriter#<init>(OutputStream)",
          "java.io.ByteArrayOutputStream#toString()");

  static final Ban LOCALE =
      of(
          "default locale",
          "name Locale.ROOT, or join with + where no format is needed",
          "java.lang.String#format(String,Object[])",
          "java.lang.String#formatted",
          "java.lang.String#toLowerCase()",
          "java.lang.String#toUpperCase()",
          "java.util.Locale#getDefault",
          "java.util.Formatter",
          "java.util.Scanner",
          "java.text.NumberFormat",
          "java.text.DecimalFormat",
          "java.text.MessageFormat",
          "java.text.SimpleDateFormat");

  /**
   * Measured: these change last bits between interpreted and compiled code of one process. Lanewise
   * arithmetic, square root and fused multiply-add are exact and stay allowed; so do reductions of
   * integers.
   */
  static final Ban VECTORS =
      of(
          "lane reductions and vectorized transcendentals",
          "store the lanes and sum them in the fixed tree of Flat; scalar Math.exp and Math.log",
          "jdk.incubator.vector.FloatVector#reduceLanes",
          "jdk.incubator.vector.DoubleVector#reduceLanes",
          "jdk.incubator.vector.FloatVector#reduceLanesToLong",
          "jdk.incubator.vector.DoubleVector#reduceLanesToLong",
          "jdk.incubator.vector.FloatVector#pow",
          "jdk.incubator.vector.DoubleVector#pow",
          "jdk.incubator.vector.VectorOperators#SIN",
          "jdk.incubator.vector.VectorOperators#COS",
          "jdk.incubator.vector.VectorOperators#TAN",
          "jdk.incubator.vector.VectorOperators#ASIN",
          "jdk.incubator.vector.VectorOperators#ACOS",
          "jdk.incubator.vector.VectorOperators#ATAN",
          "jdk.incubator.vector.VectorOperators#ATAN2",
          "jdk.incubator.vector.VectorOperators#SINH",
          "jdk.incubator.vector.VectorOperators#COSH",
          "jdk.incubator.vector.VectorOperators#TANH",
          "jdk.incubator.vector.VectorOperators#EXP",
          "jdk.incubator.vector.VectorOperators#EXPM1",
          "jdk.incubator.vector.VectorOperators#LOG",
          "jdk.incubator.vector.VectorOperators#LOG10",
          "jdk.incubator.vector.VectorOperators#LOG1P",
          "jdk.incubator.vector.VectorOperators#CBRT",
          "jdk.incubator.vector.VectorOperators#POW",
          "jdk.incubator.vector.VectorOperators#HYPOT");

  /**
   * Byte code shows that a map is iterated but rarely which map, because most are declared as
   * {@code Map}. So the rule bans the creation of any collection in hash order. Linked collections
   * keep the order of insertion and stay allowed; a collection passed in from another module
   * escapes this rule.
   */
  static final Ban HASH_ORDER =
      of(
          "hash order",
          "use TreeMap, TreeSet, EnumMap or a List; a pure look-up cache may ask for an exemption",
          "java.util.HashMap",
          "java.util.HashSet",
          "java.util.Hashtable",
          "java.util.IdentityHashMap",
          "java.util.WeakHashMap",
          "java.util.concurrent.ConcurrentHashMap",
          "exactly java.util.Map#of",
          "exactly java.util.Map#ofEntries",
          "exactly java.util.Map#copyOf",
          "exactly java.util.Set#of",
          "exactly java.util.Set#copyOf",
          "java.util.stream.Collectors#toSet",
          "java.util.stream.Collectors#toUnmodifiableSet",
          "java.util.stream.Collectors#toUnmodifiableMap",
          "java.util.stream.Collectors#toMap(Function,Function)",
          "java.util.stream.Collectors#toMap(Function,Function,BinaryOperator)",
          "java.util.stream.Collectors#groupingBy(Function)",
          "java.util.stream.Collectors#groupingBy(Function,Collector)",
          "java.util.stream.Collectors#toConcurrentMap",
          "java.util.stream.Collectors#groupingByConcurrent");

  /**
   * Identity hashes differ from run to run; hashes of records, strings and numbers do not. A call
   * has {@code Object} as its owner exactly if the static type does not override the hash.
   */
  static final Ban IDENTITY_HASH =
      of(
          "identity hash",
          "compare by peer id, digest or position; hash values, never identities",
          "java.lang.System#identityHashCode",
          "java.lang.Enum#hashCode",
          "exactly java.lang.Object#hashCode");

  static final List<Ban> ALL =
      List.of(
          CLOCK,
          RANDOM,
          THREADS,
          EXECUTORS,
          FILES,
          NETWORK,
          CONSOLE,
          ENVIRONMENT,
          CHARSET,
          LOCALE,
          VECTORS,
          HASH_ORDER,
          IDENTITY_HASH);
}
