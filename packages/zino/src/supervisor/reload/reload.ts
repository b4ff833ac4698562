// The words for what a reload did.

const verbs = ['restarted', 'started', 'stopped'] as const

/** For example `reloaded; restarted rtr; started http`. */
export function describeReload(report: { [verb in (typeof verbs)[number]]?: unknown }): string {
  const parts = verbs.flatMap((verb) => {
    const names = report[verb]
    return Array.isArray(names) && names.length > 0 ? [`${verb} ${names.join(', ')}`] : []
  })
  return ['reloaded', ...parts].join('; ')
}
