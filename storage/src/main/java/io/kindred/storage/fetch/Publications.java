package io.kindred.storage.fetch;

import io.kindred.storage.fetch.Publication.RemoteFile;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where each data set is published. A digest is listed only where one is published; other files are
 * verified against the digest of their first download.
 */
public final class Publications {
  private static final String TORCHVISION = "torchvision.datasets";
  private static final String CIFAR_PAGE = "the page of the data set";

  public static final List<Publication> ALL =
      List.of(
          mnist(),
          fashionMnist(),
          singleFile(
              "emnist",
              "https://www.nist.gov/itl/products-and-services/emnist-dataset",
              "public domain (NIST)",
              "https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip",
              md5("58c8d27c78d21e728a6bc7b3cc06412e", TORCHVISION)),
          singleFile(
              "cifar-10",
              "https://www.cs.toronto.edu/~kriz/cifar.html",
              "not stated; to be cited",
              "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",
              md5("c32a1d4ab5d03f1284b67883e8d87530", CIFAR_PAGE)),
          singleFile(
              "cifar-100",
              "https://www.cs.toronto.edu/~kriz/cifar.html",
              "not stated; to be cited",
              "https://www.cs.toronto.edu/~kriz/cifar-100-binary.tar.gz",
              md5("03b5dce01913d631647c71ecec9e9cb8", CIFAR_PAGE)),
          new Publication(
              "femnist",
              URI.create("https://leaf.cmu.edu"),
              "BSD 2-clause (LEAF)",
              List.of(),
              "LEAF generates it from NIST's files: run LEAF's data/femnist/preprocess.sh (for example"
                  + " with -s niid --sf 0.05 -k 0 -t sample) and put the folders data/train and"
                  + " data/test into the data set's folder"),
          singleFile(
              "tiny-imagenet",
              "http://cs231n.stanford.edu",
              "terms of ImageNet",
              "http://cs231n.stanford.edu/tiny-imagenet-200.zip",
              md5("90528d7ca1a48142e341f4ef8d21d0de", "avalanche.benchmarks.datasets")),
          singleFile(
              "speech-commands",
              "https://arxiv.org/abs/1804.03209",
              "CC BY 4.0",
              "http://download.tensorflow.org/data/speech_commands_v0.02.tar.gz",
              Optional.of(
                  new Checksum(
                      "SHA-256",
                      "af14739ee7dc311471de98f5f9d2c9191b18aedfe957f4a6ff791c709868ff58",
                      "mlx.data.datasets"))),
          singleFile(
              "audiomnist",
              "https://github.com/soerenab/AudioMNIST",
              "MIT",
              "https://github.com/soerenab/AudioMNIST/archive/refs/heads/master.zip",
              Optional.empty()),
          singleFile(
              "20newsgroups",
              "http://qwone.com/~jason/20Newsgroups/",
              "not stated",
              "http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz",
              Optional.of(
                  new Checksum(
                      "SHA-256",
                      "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
                      "sklearn.datasets"))),
          singleFile(
              "uci-har",
              "https://archive.ics.uci.edu/dataset/240",
              "CC BY 4.0",
              "https://archive.ics.uci.edu/static/public/240/human+activity+recognition+using+smartphones.zip",
              Optional.empty()),
          singleFile(
              "optdigits",
              "https://archive.ics.uci.edu/dataset/80",
              "CC BY 4.0",
              "https://archive.ics.uci.edu/static/public/80/optical+recognition+of+handwritten+digits.zip",
              Optional.empty()),
          new Publication(
              "shakespeare",
              URI.create("https://github.com/karpathy/char-rnn"),
              "public domain",
              List.of(
                  new RemoteFile(
                      URI.create(
                          "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt"),
                      "tinyshakespeare-input.txt",
                      Optional.empty())),
              ""));

  private Publications() {}

  public static Optional<Publication> find(String set) {
    return ALL.stream().filter(each -> each.dataset().equals(set)).findFirst();
  }

  private static Publication mnist() {
    return idx(
        "mnist",
        "http://yann.lecun.com/exdb/mnist/",
        "CC BY-SA 3.0",
        "https://ossci-datasets.s3.amazonaws.com/mnist/",
        TORCHVISION,
        "f68b3c2dcbeaaa9fbdd348bbdeb94873",
        "d53e105ee54ea40749a09fcbcd1e9432",
        "9fb629c4189551a2d022fa330f9573f3",
        "ec29112dd5afa0611ce80d1b7f02629c");
  }

  private static Publication fashionMnist() {
    return idx(
        "fashion-mnist",
        "https://github.com/zalandoresearch/fashion-mnist",
        "MIT",
        "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
        "the repository of the data set",
        "8d4fb7e6c68d591d4c3dfef9ec88bf0d",
        "25c81989df183df01b3e8a0aad5dffbe",
        "bef4ecab320f06d8554ea6380940ec79",
        "bb300cfdad3c16e7a12a480ee83cd310");
  }

  private static Publication idx(
      String dataset,
      String homepage,
      String licence,
      String folder,
      String source,
      String... digests) {
    List<String> names =
        List.of(
            "train-images-idx3-ubyte.gz",
            "train-labels-idx1-ubyte.gz",
            "t10k-images-idx3-ubyte.gz",
            "t10k-labels-idx1-ubyte.gz");
    List<RemoteFile> remoteFiles = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      remoteFiles.add(
          new RemoteFile(URI.create(folder + names.get(i)), names.get(i), md5(digests[i], source)));
    }
    return new Publication(dataset, URI.create(homepage), licence, remoteFiles, "");
  }

  private static Publication singleFile(
      String dataset,
      String homepage,
      String licence,
      String address,
      Optional<Checksum> checksum) {
    String name = address.substring(address.lastIndexOf('/') + 1).replace('+', '-');
    return new Publication(
        dataset,
        URI.create(homepage),
        licence,
        List.of(new RemoteFile(URI.create(address), name, checksum)),
        "");
  }

  private static Optional<Checksum> md5(String hex, String source) {
    return Optional.of(new Checksum("MD5", hex, source));
  }
}
