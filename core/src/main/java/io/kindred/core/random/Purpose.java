package io.kindred.core.random;

/** The purpose of a random stream; two purposes never share a draw. */
public record Purpose(String name) {
  public static final Purpose DATA = new Purpose("data");
  public static final Purpose PARTITION = new Purpose("partition");
  public static final Purpose HOLD_OUT = new Purpose("hold-out");
  public static final Purpose TOPOLOGY = new Purpose("topology");
  public static final Purpose INITIAL_WEIGHTS = new Purpose("initial-weights");
  public static final Purpose BATCHES = new Purpose("batches");
  public static final Purpose PARTICIPANTS = new Purpose("participants");
  public static final Purpose DEVICES = new Purpose("devices");
  public static final Purpose LINKS = new Purpose("links");
  public static final Purpose PLACEMENT = new Purpose("placement");
  public static final Purpose FADING = new Purpose("fading");
  public static final Purpose JITTER = new Purpose("jitter");
  public static final Purpose CHURN = new Purpose("churn");
  public static final Purpose FAULTS = new Purpose("faults");
  public static final Purpose TUNING = new Purpose("tuning");

  /** FNV-1a over the name: stable between processes, which a hash code does not promise. */
  long key() {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }
}
