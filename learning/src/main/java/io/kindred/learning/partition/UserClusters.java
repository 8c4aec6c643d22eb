package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Users;
import java.util.List;
import java.util.Optional;

/**
 * Clusters of peers, one for each user of the data set (IFCA, Ghosh et al., 2020, section 6.1, on
 * the data set {@code linear-clusters}): peers are assigned to clusters at random, equally to
 * within one, and the peers of a cluster divide the samples of its user equally, to within one. The
 * ground truth of a sample is its user.
 */
@Named(
    value = "user-clusters",
    summary = "clusters of peers; each cluster divides the samples of one user")
public record UserClusters() implements Partition {
  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    Users users = users(pool);
    int clusters = users.count();
    if (peers < clusters) {
      throw new SettingException(
          "peers",
          peers + " peers cannot form " + clusters + " clusters, one for each user",
          "use at least " + clusters + " peers");
    }
    List<IndexList> members = IndexList.emptyLists(clusters);
    int[] order = random.permutation(peers);
    for (int i = 0; i < peers; i++) {
      members.get(i % clusters).add(order[i]);
    }
    List<IndexList> byUser = IndexList.groupByClass(users.bySample(), clusters);
    List<IndexList> shares = IndexList.emptyLists(peers);
    for (int user = 0; user < clusters; user++) {
      IndexList group = members.get(user);
      int[] samples = byUser.get(user).shuffled(random);
      if (samples.length < group.size()) {
        throw new SettingException(
            "peers",
            ("user " + users.names().get(user) + " has " + samples.length + " samples for ")
                + (group.size() + " peers"),
            "use fewer peers or more samples");
      }
      for (int i = 0; i < samples.length; i++) {
        shares.get(group.get(i % group.size())).add(samples[i]);
      }
    }
    return new PartitionResult(
        IndexList.sorted(shares),
        Optional.of(
            SampleTransformation.ofAllSamples(
                new int[pool.count()], users.bySample().copy(), clusters, peers, Ints.of(0))));
  }

  private static Users users(SamplePool pool) {
    return pool.users()
        .orElseThrow(
            () ->
                new SettingException(
                    "partition",
                    "the data set does not name the user of each sample",
                    "choose a data set with users, such as linear-clusters, or another partition"));
  }
}
