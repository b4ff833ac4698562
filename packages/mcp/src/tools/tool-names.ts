// Names the tools of servers for the model: `<server>__<tool>`, limited to the characters and the
// length that every vendor accepts.

const maxNameLength = 64

/** A unique name for a tool; added to `usedNames`. */
export function nameForModel(server: string, tool: string, usedNames: Set<string>): string {
  const fullName = `${server}__${tool}`.replace(/[^A-Za-z0-9_-]/g, '_')
  let name = fullName.slice(0, maxNameLength)
  for (let count = 2; usedNames.has(name); count++) {
    const end = `_${count}`
    name = fullName.slice(0, maxNameLength - end.length) + end
  }
  usedNames.add(name)
  return name
}
