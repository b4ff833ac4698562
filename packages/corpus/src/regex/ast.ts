// What a pattern means, apart from how it was spelled. Flags are already folded into the nodes.

/** How far case does not matter: not at all, among ASCII letters, or everywhere. */
export type Fold = 'none' | 'ascii' | 'unicode'

export type RegexNode =
  | { kind: 'char'; code: number; fold: Fold }
  | { kind: 'set'; items: SetItem[]; negated: boolean; fold: Fold }
  /** `.`; `all` when it matches a line feed too. */
  | { kind: 'dot'; all: boolean }
  | { kind: 'start'; everyLine: boolean }
  /** `$`, which also stands before a final line feed, and `\Z`, which does not. */
  | { kind: 'end'; everyLine: boolean; strict: boolean }
  | { kind: 'boundary'; negated: boolean; ascii: boolean }
  | { kind: 'sequence'; items: RegexNode[] }
  | { kind: 'either'; branches: RegexNode[] }
  | { kind: 'capture'; group: number; body: RegexNode }
  | { kind: 'atomic'; body: RegexNode }
  | { kind: 'repeat'; body: RegexNode; min: number; max: number; mode: RepeatMode }
  | { kind: 'look'; behind: boolean; negated: boolean; body: RegexNode }
  | { kind: 'backref'; group: number; fold: Fold }
  | { kind: 'conditional'; group: number; yes: RegexNode; no: RegexNode }

export type RepeatMode = 'greedy' | 'lazy' | 'possessive'

export type SetItem =
  | { kind: 'range'; low: number; high: number }
  | { kind: 'class'; name: 'd' | 's' | 'w'; negated: boolean; ascii: boolean }

export interface Regex {
  body: RegexNode
  /** Capturing groups, without the whole match. */
  groups: number
}

/** The nodes right below a node, for walks that do not care about its kind. */
export function childrenOf(node: RegexNode): RegexNode[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'either':
      return node.branches
    case 'capture':
    case 'atomic':
    case 'repeat':
    case 'look':
      return [node.body]
    case 'conditional':
      return [node.yes, node.no]
    default:
      return []
  }
}
