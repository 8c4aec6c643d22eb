package io.kindred.spark;

import io.kindred.experiment.GridEngine;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;

/** Opens a Spark cluster, or Spark inside this process, for the cells of a grid. */
public final class SparkProvider implements GridEngine.Provider {
  private static final Pattern LOCAL = Pattern.compile("local(\\[(\\d+|\\*)])?");
  private static final Pattern CLUSTER = Pattern.compile("spark://(.+)");
  private static final Pattern ADDRESS = Pattern.compile("(.+):(\\d{1,5})");
  private static final int CONNECT_TIMEOUT_MILLIS = 3000;

  private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";

  @Override
  public String name() {
    return "spark";
  }

  @Override
  public GridEngine open(GridEngine.EngineOptions engineOptions) {
    return new SparkEngine(
        new JavaSparkContext(configuration(engineOptions.master())), engineOptions);
  }

  /** Spark settings in the system properties take precedence; the rest is set here. */
  static SparkConf configuration(String master) {
    SparkConf configuration = new SparkConf();
    configuration.setMaster(master).setAppName("kindred");
    // A sweep shows its own progress, and Spark's web page would open a port without need.
    configuration.setIfMissing("spark.ui.enabled", "false");
    // A cell's models come back as one result, and they may be large.
    configuration.setIfMissing("spark.driver.maxResultSize", "0");
    boolean loopback = true;
    Matcher cluster = CLUSTER.matcher(master);
    if (cluster.matches()) {
      loopback = connectToAny(addresses(master, cluster.group(1))).isLoopbackAddress();
      configuration.set(
          EXECUTOR_OPTIONS,
          "--add-modules=jdk.incubator.vector --enable-native-access=ALL-UNNAMED"
              + " -XX:+UseParallelGC -Djava.awt.headless=true "
              + configuration.get(EXECUTOR_OPTIONS, ""));
      // The jars are shipped; plugins that this variable names on a worker would be there twice.
      configuration.setIfMissing("spark.executorEnv.KINDRED_PLUGINS", "");
      configuration.set("spark.jars", String.join(",", ApplicationJars.jars()));
    } else if (!LOCAL.matcher(master).matches()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--master must be spark://HOST:PORT or local[N], but is '" + master + "'");
    }
    if (loopback) {
      configuration.setIfMissing("spark.driver.host", "127.0.0.1");
      configuration.setIfMissing("spark.driver.bindAddress", "127.0.0.1");
    }
    return configuration;
  }

  /** A cluster may have several masters, of which one is active. */
  private static List<InetSocketAddress> addresses(String master, String written) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String each : written.split(",", -1)) {
      Matcher address = ADDRESS.matcher(each);
      if (!address.matches() || Integer.parseInt(address.group(2)) > 0xffff) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            "--master must name host and port, as in spark://127.0.0.1:7077, but is '"
                + master
                + "'");
      }
      addresses.add(new InetSocketAddress(address.group(1), Integer.parseInt(address.group(2))));
    }
    return addresses;
  }

  /** Checked here, because Spark would retry for a minute and then report it at length. */
  private static InetAddress connectToAny(List<InetSocketAddress> masters) {
    String why = "";
    for (InetSocketAddress master : masters) {
      try (Socket socket = new Socket()) {
        socket.connect(master, CONNECT_TIMEOUT_MILLIS);
        return socket.getInetAddress();
      } catch (UnknownHostException unknown) {
        why = "the host is not known";
      } catch (IOException refused) {
        why = String.valueOf(refused.getMessage());
      }
    }
    InetSocketAddress last = masters.getLast();
    throw new OperatorException(
        OperatorException.FAILED,
        "no Spark master answers at %s:%d (%s); start a master with scripts/spark master, or see docs/how-to/run-on-a-cluster.md"
            .formatted(last.getHostString(), last.getPort(), why));
  }
}
