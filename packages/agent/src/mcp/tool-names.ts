// The names under which a model sees the tools of servers: `<server>__<tool>`, in the letters and the
// length that every vendor takes.

const maxNameLength = 64

/** The name of a tool; it avoids those that are taken and becomes one of them. */
export function nameForModel(server: string, tool: string, taken: Set<string>): string {
  const wanted = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_')
  let name = wanted.slice(0, maxNameLength)
  for (let count = 2; taken.has(name); count++) {
    const end = `_${count}`
    name = wanted.slice(0, maxNameLength - end.length) + end
  }
  taken.add(name)
  return name
}
