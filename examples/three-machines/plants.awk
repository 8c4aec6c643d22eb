# Writes a table of measured plants, the same on every machine:
#   awk -v seed=1 -v rows="fern 40 iris 30" -v columns="length,width,petals,height,species" -f plants.awk
function uniform() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 }
function normal() { return sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform()) }
BEGIN {
  # Mean length, width, number of petals and height of each species.
  split("fern 3.0 2.0 4 30 iris 4.2 2.4 5 42 lily 4.4 3.4 6 38 rose 3.2 3.2 7 50", mean, " ")
  split(columns, name, ",")
  split(rows, wanted, " ")
  for (i = 1; i in wanted; i += 2)
    for (j = 0; j < wanted[i + 1]; j++) species[++count] = wanted[i]
  # Rows are shuffled, so that their order tells nothing.
  for (i = count; i > 1; i--) {
    j = 1 + int(uniform() * i)
    other = species[i]; species[i] = species[j]; species[j] = other
  }
  print columns
  for (i = 1; i <= count; i++) {
    for (k = 1; mean[k] != species[i]; k += 5);
    cell["species"] = species[i]
    cell["length"] = sprintf("%.2f", mean[k + 1] + 0.45 * normal())
    cell["width"] = sprintf("%.2f", mean[k + 2] + 0.4 * normal())
    cell["petals"] = int(mean[k + 3] + normal() + 0.5)
    cell["height"] = int(mean[k + 4] + 7 * normal() + 0.5)
    line = cell[name[1]]
    for (k = 2; k in name; k++) line = line "," cell[name[k]]
    print line
  }
}
