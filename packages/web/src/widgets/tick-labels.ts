// Labels of the ticks of an axis.

/** Rounding may give ticks that lie close together the same label: only the first of them keeps it. */
export function withoutRepeats(labels: readonly string[]): string[] {
  return labels.map((label, index) => (index > 0 && label === labels[index - 1] ? '' : label))
}
