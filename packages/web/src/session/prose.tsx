// Renders the Markdown tree. All text becomes text nodes, so output of a model is never markup.
import type { JSX } from 'preact'
import type { Block, Inline } from '../data/data.ts'
import { ColouredCode } from './coloured-code.tsx'

export function Prose({ blocks }: { blocks: Block[] }) {
  return (
    <div class="prose">
      <Blocks blocks={blocks} />
    </div>
  )
}

function Blocks({ blocks }: { blocks: Block[] }) {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </>
  )
}

/** Headings of an answer rank below the headings of the page. */
const headings = ['h3', 'h4', 'h5', 'h6'] as const

function BlockView({ block }: { block: Block }): JSX.Element {
  switch (block.type) {
    case 'paragraph':
      return (
        <p>
          <Inlines inline={block.inline} />
        </p>
      )
    case 'heading': {
      const Heading = headings[Math.min(block.depth, headings.length) - 1] ?? 'h6'
      return (
        <Heading>
          <Inlines inline={block.inline} />
        </Heading>
      )
    }
    case 'code':
      return (
        <pre
          tabIndex={0}
          aria-label={block.language === '' ? 'code' : `code, ${block.language}`}
          role="group"
        >
          <code>
            <ColouredCode {...block} />
          </code>
        </pre>
      )
    case 'quote':
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list':
      return <ListView block={block} />
    case 'table':
      return <TableView block={block} />
    case 'rule':
      return <hr />
  }
}

function ListView({ block }: { block: Extract<Block, { type: 'list' }> }) {
  const items = block.items.map(({ checked, blocks }, index) => (
    <li key={index} class={checked === undefined ? '' : 'task'}>
      {checked === undefined ? null : (
        <span role="img" aria-label={checked ? 'done' : 'open'}>
          {checked ? '☑ ' : '☐ '}
        </span>
      )}
      <ItemBlocks blocks={blocks} />
    </li>
  ))
  return block.ordered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>
}

/** Renders the first paragraph of an item without a `p` element. */
function ItemBlocks({ blocks }: { blocks: Block[] }) {
  const [first, ...rest] = blocks
  if (first?.type !== 'paragraph') return <Blocks blocks={blocks} />
  return (
    <>
      <Inlines inline={first.inline} />
      <Blocks blocks={rest} />
    </>
  )
}

function TableView({ block }: { block: Extract<Block, { type: 'table' }> }) {
  const alignment = (index: number) => ({ textAlign: block.align[index] ?? 'left' })
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="Table">
      <table>
        <thead>
          <tr>
            {block.head.map((cell, index) => (
              <th key={index} scope="col" style={alignment(index)}>
                <Inlines inline={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, rowIndex) => (
            <tr key={rowIndex}>
              {row.map((cell, index) => (
                <td key={index} style={alignment(index)}>
                  <Inlines inline={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Inlines({ inline }: { inline: Inline[] }) {
  return (
    <>
      {inline.map((each, index) => (
        <InlineView key={index} inline={each} />
      ))}
    </>
  )
}

function InlineView({ inline }: { inline: Inline }) {
  switch (inline.type) {
    case 'text':
      return <>{inline.text}</>
    case 'code':
      return <code>{inline.text}</code>
    case 'strong':
      return (
        <strong>
          <Inlines inline={inline.inline} />
        </strong>
      )
    case 'emphasis':
      return (
        <em>
          <Inlines inline={inline.inline} />
        </em>
      )
    case 'deleted':
      return (
        <del>
          <Inlines inline={inline.inline} />
        </del>
      )
    case 'link':
      return <SafeLink href={inline.href} inline={inline.inline} />
    case 'break':
      return <br />
  }
}

const safeProtocol = /^(https?:|mailto:)/i

/** The program has checked links already; the page does not rely on it. */
function SafeLink({ href, inline }: { href: string; inline: Inline[] }) {
  if (!safeProtocol.test(href)) return <Inlines inline={inline} />
  return (
    <a href={href} rel="noopener noreferrer" target="_blank">
      <Inlines inline={inline} />
    </a>
  )
}
