// A squarified tree map (Bruls, Huizing and van Wijk, 2000): nested rectangles for folders and files, with
// areas proportional to bytes.
import type { FileFacts } from '../data/data.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

export interface FileTile extends Rectangle {
  file: FileFacts
}

export interface FolderTile extends Rectangle {
  name: string
  depth: number
}

interface Node {
  name: string
  size: number
  file?: FileFacts
  children: Map<string, Node>
}

const folderTitleHeight = 15
const gap = 1

export function layoutTreeMap(files: readonly FileFacts[], area: Rectangle) {
  const tiles: FileTile[] = []
  const folders: FolderTile[] = []
  layoutNode(buildTree(files), area, 0, tiles, folders)
  return { tiles, folders }
}

function buildTree(files: readonly FileFacts[]): Node {
  const root: Node = { name: '', size: 0, children: new Map() }
  for (const file of files) {
    // The minimum keeps empty files visible.
    const size = Math.max(file.bytes, 64)
    let node = root
    node.size += size
    for (const name of file.path.split('/')) {
      let child = node.children.get(name)
      if (child === undefined)
        node.children.set(name, (child = { name, size: 0, children: new Map() }))
      child.size += size
      node = child
    }
    node.file = file
  }
  return root
}

function layoutNode(
  node: Node,
  area: Rectangle,
  depth: number,
  tiles: FileTile[],
  folders: FolderTile[],
): void {
  if (node.file !== undefined) {
    tiles.push({ ...area, file: node.file })
    return
  }
  const children = [...node.children.values()].sort((a, b) => b.size - a.size)
  for (const [child, inner] of squarify(children, area)) {
    if (child.file !== undefined) {
      layoutNode(child, inset(inner, gap), depth, tiles, folders)
      continue
    }
    const hasTitle = inner.height > 34 && inner.width > 46
    if (hasTitle) folders.push({ ...inner, name: child.name, depth })
    const body = inset(inner, gap + 1)
    const below = hasTitle
      ? { ...body, y: body.y + folderTitleHeight, height: body.height - folderTitleHeight }
      : body
    layoutNode(child, below, depth + 1, tiles, folders)
  }
}

/** Shrinks a rectangle on all sides, at most to its centre. */
function inset({ x, y, width, height }: Rectangle, by: number): Rectangle {
  const [aside, above] = [Math.min(by, width / 2), Math.min(by, height / 2)]
  return { x: x + aside, y: y + above, width: width - 2 * aside, height: height - 2 * above }
}

function squarify(nodes: readonly Node[], area: Rectangle): [Node, Rectangle][] {
  const placed: [Node, Rectangle][] = []
  let rest = area
  let remaining = nodes.reduce((sum, { size }) => sum + size, 0)
  let index = 0
  while (index < nodes.length) {
    const scale = remaining === 0 ? 0 : (rest.width * rest.height) / remaining
    const side = Math.min(rest.width, rest.height)
    const row = nextRow(nodes, index, side, scale)
    const size = row.reduce((sum, node) => sum + node.size, 0)
    placed.push(...rowRectangles(row, size, rest, scale))
    rest = withoutRow(rest, side === 0 ? 0 : (size * scale) / side)
    remaining -= size
    index += row.length
  }
  return placed
}

/** Adds nodes to a row while its worst aspect ratio improves. */
function nextRow(nodes: readonly Node[], from: number, side: number, scale: number): Node[] {
  const row: Node[] = []
  let sum = 0
  let worst = Number.POSITIVE_INFINITY
  for (let index = from; index < nodes.length; index++) {
    const node = nodes[index]
    if (node === undefined) break
    const next = sum + node.size
    const [largest, smallest] = [row[0] ?? node, node]
    const thickness = (next * scale) / Math.max(side, 1e-9)
    const shape = Math.max(
      thickness ** 2 / Math.max(smallest.size * scale, 1e-9),
      (largest.size * scale) / Math.max(thickness ** 2, 1e-9),
    )
    if (row.length > 0 && shape > worst) break
    row.push(node)
    sum = next
    worst = shape
  }
  return row
}

function rowRectangles(
  row: readonly Node[],
  size: number,
  rest: Rectangle,
  scale: number,
): [Node, Rectangle][] {
  const isTall = rest.width >= rest.height
  const side = isTall ? rest.height : rest.width
  const thickness = side === 0 ? 0 : (size * scale) / side
  let offset = 0
  return row.map((node) => {
    const length = size === 0 ? 0 : (side * node.size) / size
    const rectangle = isTall
      ? { x: rest.x, y: rest.y + offset, width: thickness, height: length }
      : { x: rest.x + offset, y: rest.y, width: length, height: thickness }
    offset += length
    return [node, rectangle]
  })
}

function withoutRow(rest: Rectangle, thickness: number): Rectangle {
  return rest.width >= rest.height
    ? { ...rest, x: rest.x + thickness, width: Math.max(0, rest.width - thickness) }
    : { ...rest, y: rest.y + thickness, height: Math.max(0, rest.height - thickness) }
}
