package io.kindred.learning.model;

/** The shape of the values between layers of a picture model: channels of rows of columns. */
public record Volume(int channels, int height, int width) {
  public int size() {
    return channels * height * width;
  }

  /** Positions in one channel. */
  public int area() {
    return height * width;
  }
}
