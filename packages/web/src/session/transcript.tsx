// The transcript of a session: prompts, answers, folded tool calls, and the usage of each turn.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { SessionPage, ToolFacts, TurnFacts, Usage } from '../data/data.ts'
import { FlowList, Segments } from '../widgets/widgets.tsx'
import { hrefTo } from '../page/page.ts'
import { count, pluralize, dollars, duration, formatInstant } from '../format.ts'
import { estimateHeight, turnBlocks, type Block } from './blocks.ts'
import {
  countEntries,
  filteredTurns,
  type Filter,
  type PlacedEntry,
  type TextsOf,
} from './filter.ts'
import { Prose } from './prose.tsx'
import { ThinkingFold, ToolFold, type OpenPlaces } from './tool-fold.tsx'
import { loadToolTexts } from './tool-texts.ts'

interface TranscriptProps {
  page: SessionPage
  turns: TurnFacts[]
  /** The turn that the address names. */
  turn: number | undefined
}

export function Transcript({ page, turns, turn }: TranscriptProps) {
  const [query, setQuery] = useState('')
  const [filter, setFilter] = useState<Filter>('all')
  const textsOf = (call: ToolFacts) => loadToolTexts(page, call)
  const shown = useMemo(() => filteredTurns(turns, query, filter, textsOf), [turns, query, filter])
  const [target, setTarget] = useState<{ turn: number | undefined }>({ turn })
  // A later turn can be shown as soon as the page is loaded.
  const isThere = (turn ?? 0) <= turns.length
  useEffect(() => setTarget({ turn }), [turn, isThere])
  return (
    <>
      <div class="list-tools">
        <Segments
          label="Which entries"
          value={filter}
          options={[
            { value: 'all', label: 'All' },
            { value: 'failed', label: 'Failed calls' },
          ]}
          onChange={(value: Filter) => setFilter(value)}
        />
        <input
          class="find"
          type="search"
          placeholder="Search the session"
          aria-label="Search the session"
          value={query}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <span class="quiet small" role="status">
          {query === '' && filter === 'all'
            ? ''
            : pluralize(countEntries(shown), 'entry', 'entries')}
        </span>
      </div>
      <div class="talk">
        <JumpList turns={turns} onJump={(number) => setTarget({ turn: number })} />
        <Turns
          blocks={useMemo(() => turnBlocks(shown), [shown])}
          target={target}
          textsOf={textsOf}
        />
      </div>
    </>
  )
}

interface JumpListProps {
  turns: TurnFacts[]
  onJump(number: number): void
}

function JumpList({ turns, onJump }: JumpListProps) {
  const box = useRef<HTMLElement>(null)
  return (
    <nav class="jump" aria-label="Turns" ref={box}>
      <h2>Turns</h2>
      <FlowList
        as="ol"
        scroller={box}
        count={turns.length}
        items={turns}
        estimate={() => 28}
        row={(index) => (
          <li key={index}>
            <a href={hrefTo('turn', index + 1)} onClick={() => onJump(index + 1)}>
              <small>{index + 1}</small> {turnTitle(turns[index])}
            </a>
          </li>
        )}
      />
    </nav>
  )
}

function turnTitle(turn: TurnFacts | undefined): string {
  const prompt = turn?.entries.find((entry) => entry.type === 'prompt')
  return prompt === undefined ? 'before the first prompt' : prompt.text.trim().slice(0, 80)
}

interface TurnsProps {
  blocks: Block[]
  target: { turn: number | undefined }
  textsOf: TextsOf
}

function Turns({ blocks, target, textsOf }: TurnsProps) {
  const opened = useRef<OpenPlaces>(new Set()).current
  const place = useMemo(
    () => ({ index: blocks.findIndex(({ turn }) => turn === target.turn) }),
    [target],
  )
  return (
    <FlowList
      count={blocks.length}
      items={blocks}
      estimate={(index) => estimateHeight(blocks[index] as Block)}
      target={place}
      row={(index) => {
        const { turn, entries, isFirst, isLast, usage } = blocks[index] as Block
        return (
          <section
            key={index}
            class={`turn ${isFirst && index > 0 ? 'ruled' : ''} ${isLast ? 'last' : ''}`}
            id={isFirst ? `turn-${turn}` : undefined}
            aria-label={isFirst ? `Turn ${turn}` : `Turn ${turn}, continued`}
          >
            {entries.map((each) => (
              <Entry key={each.place} {...each} opened={opened} textsOf={textsOf} />
            ))}
            {usage === undefined ? null : <UsageLine usage={usage} />}
          </section>
        )
      }}
    />
  )
}

function Entry(props: PlacedEntry & { opened: OpenPlaces; textsOf: TextsOf }) {
  const { entry, textsOf, ...at } = props
  switch (entry.type) {
    case 'prompt':
      return (
        <>
          <p class="who">
            <span>You</span>
            <span>{entry.at === undefined ? '' : formatInstant(entry.at)}</span>
          </p>
          <div class="prompt">{entry.text}</div>
        </>
      )
    case 'answer':
      return <Prose blocks={entry.blocks} />
    case 'thinking':
      return <ThinkingFold text={entry.text} {...at} />
    case 'tool':
      return <ToolFold tool={entry} textsOf={textsOf} {...at} />
    case 'interrupted':
      return <p class="who warn-ink">Interrupted</p>
    case 'undo':
      return <p class="who warn-ink">Undone: {entry.files.join(', ')}</p>
    case 'redo':
      return <p class="who warn-ink">Redone: {entry.files.join(', ')}</p>
  }
}

function UsageLine({ usage }: { usage: Usage }) {
  return (
    <p class="usage">
      <span>{usage.models.join(', ')}</span>
      {hasTokens(usage) ? <span>{count(usage.input)} tokens in</span> : null}
      {usage.cached === 0 ? null : <span>{count(usage.cached)} cached</span>}
      {hasTokens(usage) ? <span>{count(usage.output)} out</span> : null}
      {usage.ms === 0 ? null : <span>{duration(usage.ms)}</span>}
      {usage.costUsd === undefined ? null : <span>{dollars(usage.costUsd)}</span>}
    </p>
  )
}

/** Zero tokens means that the provider reported no usage. */
function hasTokens({ input, output }: Usage): boolean {
  return input + output > 0
}
