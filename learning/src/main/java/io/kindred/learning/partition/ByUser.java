package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.learning.data.Users;
import java.util.List;

/**
 * Each peer holds the samples of whole users: writers, speakers, roles, wearers of a phone. With a
 * fixed number of users per peer, the remaining users are left out (DFCA, appendix A.1: 400 peers,
 * each with the samples of one writer); otherwise all users are assigned, equally many to each peer
 * to within one. The assignment is random.
 */
@Named(
    value = "by-user",
    summary = "each peer holds all samples of some users; needs a data set with users")
public record ByUser(
    @Setting(
            doc =
                "users that each peer gets, the other users stay unused; 0 divides all users"
                    + " among the peers",
            fallback = "0",
            min = 0)
        int usersPerPeer,
    @Setting(doc = "least samples of a user; users with fewer stay unused", fallback = "1", min = 1)
        int minimum)
    implements Partition {
  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    IndexList.requireEnoughSamples(pool.count(), peers);
    List<IndexList> byUser = byUser(pool);
    IndexList eligible = new IndexList();
    for (int user = 0; user < byUser.size(); user++) {
      if (byUser.get(user).size() >= minimum) {
        eligible.add(user);
      }
    }
    long wanted = (long) peers * Math.max(1, usersPerPeer);
    if (wanted > eligible.size()) {
      throw new SettingException(
          "peers",
          (peers + " peers need " + wanted + " users, but only ")
              + (eligible.size() + " have " + minimum + " samples or more"),
          "use fewer peers, fewer users for each peer, or a smaller minimum");
    }
    int[] users = eligible.shuffled(random);
    List<IndexList> shares = IndexList.emptyLists(peers);
    for (int i = 0; i < (usersPerPeer == 0 ? users.length : wanted); i++) {
      shares.get(i % peers).addAll(byUser.get(users[i]));
    }
    return PartitionResult.ofShares(IndexList.sorted(shares));
  }

  private static List<IndexList> byUser(SamplePool pool) {
    Users users =
        pool.users()
            .orElseThrow(
                () ->
                    new SettingException(
                        "partition",
                        "the data set does not name the user of each sample",
                        "choose a data set with users, such as femnist or shakespeare, or another"
                            + " partition"));
    return IndexList.groupByClass(users.bySample(), users.count());
  }
}
