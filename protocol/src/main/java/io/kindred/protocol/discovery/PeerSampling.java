package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The random contacts of a peer, by Cyclon (Voulgaris, Gavidia and van Steen, 2005): a peer swaps a
 * few contacts with its oldest one. The contact that a peer swaps with leaves the list, and the
 * peer itself enters the other list with age zero, so peers that are down disappear and every peer
 * is known to about as many others.
 */
record PeerSampling(PeerId self, ViewSettings settings) {
  /** Adds peers that are known from elsewhere while there is room. */
  List<Contact> introduce(List<Contact> contacts, List<PeerId> peers, RandomStream random) {
    List<Contact> next = new ArrayList<>(contacts);
    for (int index : random.permutation(peers.size())) {
      PeerId peer = peers.get(index);
      if (next.size() < settings.contacts() && !peer.equals(self) && !contains(next, peer)) {
        next.add(new Contact(peer, 0));
      }
    }
    return next;
  }

  static List<Contact> older(List<Contact> contacts) {
    return contacts.stream().map(Contact::older).toList();
  }

  static List<Contact> without(List<Contact> contacts, PeerId peer) {
    return contacts.stream().filter(each -> !each.peer().equals(peer)).toList();
  }

  /**
   * The contact to swap with: the one that has not been heard of for the longest time. Peers break
   * ties differently: if all of them chose the lowest number, peers with high numbers would be
   * known to four times as many others.
   */
  Optional<PeerId> oldest(List<Contact> contacts) {
    return contacts.stream()
        .min(
            Comparator.comparingInt(Contact::age)
                .reversed()
                .thenComparingLong(each -> SimilarityView.scramble(self, each.peer())))
        .map(Contact::peer);
  }

  /** What a peer offers: itself, if it begins the swap, and random other contacts. */
  List<Contact> offer(List<Contact> contacts, PeerId partner, boolean begins, RandomStream random) {
    List<Contact> offered = new ArrayList<>();
    if (begins) {
      offered.add(new Contact(self, 0));
    }
    for (int index : random.permutation(contacts.size())) {
      if (offered.size() < settings.shuffle() && !contacts.get(index).peer().equals(partner)) {
        offered.add(contacts.get(index));
      }
    }
    return offered;
  }

  /** Takes the partner's contacts: into free places first, then in place of what was offered. */
  List<Contact> swap(List<Contact> contacts, List<PeerId> offered, List<Contact> received) {
    List<Contact> next = new ArrayList<>(contacts);
    List<PeerId> replaceable = new ArrayList<>(offered);
    for (Contact each : received) {
      if (each.peer().equals(self)) {
        continue;
      }
      int known = indexOf(next, each.peer());
      if (known >= 0) {
        if (each.age() < next.get(known).age()) {
          next.set(known, each);
        }
      } else if (next.size() < settings.contacts()) {
        next.add(each);
      } else {
        int place = -1;
        while (place < 0 && !replaceable.isEmpty()) {
          place = indexOf(next, replaceable.removeLast());
        }
        if (place >= 0) {
          next.set(place, each);
        }
      }
    }
    return next;
  }

  /**
   * The same for the peer that began the swap. Its partner, which left the list, returns where
   * places are free: after many failures lists would otherwise stay short.
   */
  List<Contact> swapped(
      List<Contact> contacts, PeerId partner, List<PeerId> offered, List<Contact> received) {
    List<Contact> next = new ArrayList<>(swap(contacts, offered, received));
    if (next.size() < settings.contacts() && !contains(next, partner)) {
      next.add(new Contact(partner, 0));
    }
    return next;
  }

  private static boolean contains(List<Contact> contacts, PeerId peer) {
    return indexOf(contacts, peer) >= 0;
  }

  private static int indexOf(List<Contact> contacts, PeerId peer) {
    for (int i = 0; i < contacts.size(); i++) {
      if (contacts.get(i).peer().equals(peer)) {
        return i;
      }
    }
    return -1;
  }
}
