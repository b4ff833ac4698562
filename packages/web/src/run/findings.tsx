// The findings of an attempt: friction, integrity and notes. Findings link to the calls they cite.
import type { AttemptFacts, FrictionFacts, IntegrityFacts, NoteFacts } from '../data/data.ts'
import { Badge, Empty, Panel } from '../widgets/widgets.tsx'
import { pluralize, formatInstant, humanize } from '../format.ts'

type Jump = (line: number) => void

export function FrictionPanel({ findings, onJump }: { findings: FrictionFacts[]; onJump: Jump }) {
  return (
    <Panel
      title="Friction"
      note={findings.length === 0 ? undefined : pluralize(findings.length, 'finding')}
    >
      {findings.length === 0 ? (
        <Empty>No repeated calls, blind retries or similar problems with tools.</Empty>
      ) : (
        <ul class="findings">
          {findings.map((finding, index) => (
            <li key={index}>
              <div class="line-1">
                <h3>{humanize(finding.kind)}</h3>
                <Badge tone={finding.basis === 'measured' ? 'accent' : ''}>{finding.basis}</Badge>
                {finding.classification === undefined ? null : (
                  <Badge>{humanize(finding.classification)}</Badge>
                )}
              </div>
              <p class="soft">{finding.message}</p>
              <Lines lines={finding.lines} total={finding.linesTotal} onJump={onJump} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

export function IntegrityPanel({ attempt, onJump }: { attempt: AttemptFacts; onJump: Jump }) {
  const { integrity, isValid } = attempt
  if (integrity.length === 0) {
    return (
      <Panel title="Integrity" tools={<Badge tone="good">valid</Badge>}>
        <Empty>The evidence is complete and unchanged.</Empty>
      </Panel>
    )
  }
  const badge = isValid ? (
    <Badge tone="warn">valid, with warnings</Badge>
  ) : (
    <Badge tone="bad">not valid</Badge>
  )
  return (
    <Panel title="Integrity" tools={badge}>
      <IntegrityList findings={integrity} onJump={onJump} />
    </Panel>
  )
}

/** Integrity findings of the run itself; hidden if there are none. */
export function RunIntegrity({ findings }: { findings: IntegrityFacts[] }) {
  if (findings.length === 0) return null
  return (
    <Panel title="Integrity of the run" note={pluralize(findings.length, 'finding')}>
      <IntegrityList findings={findings} onJump={() => {}} />
    </Panel>
  )
}

function IntegrityList({ findings, onJump }: { findings: IntegrityFacts[]; onJump: Jump }) {
  return (
    <ul class="findings">
      {findings.map((finding, index) => (
        <li key={index}>
          <div class="line-1">
            <Badge tone={finding.level === 'error' ? 'bad' : 'warn'}>{finding.level}</Badge>
            <span class="mono small">{finding.code}</span>
            <span class="quiet small">{finding.path}</span>
          </div>
          <p class="soft">{finding.message}</p>
          {finding.line === undefined ? null : (
            <Lines lines={[finding.line]} total={1} onJump={onJump} />
          )}
        </li>
      ))}
    </ul>
  )
}

function Lines({ lines, total, onJump }: { lines: number[]; total: number; onJump: Jump }) {
  const more = total - lines.length
  return (
    <div class="chips">
      {lines.map((line) => (
        <button
          type="button"
          class="chip"
          key={line}
          onClick={() => onJump(line)}
          aria-label={`Show call ${line}`}
        >
          {line}
        </button>
      ))}
      {more > 0 ? <span class="small quiet">and {more} more</span> : null}
    </div>
  )
}

export function NotesPanel({ notes }: { notes: NoteFacts[] }) {
  if (notes.length === 0) return null
  return (
    <Panel title="Notes" note={pluralize(notes.length, 'note')}>
      <ul class="findings">
        {notes.map((note, index) => (
          <li key={index}>
            <div class="line-1 note-kind">
              <Badge>{note.kind}</Badge> <span>{formatInstant(note.at)}</span>
              {note.tags.map((tag) => (
                <span key={tag}>#{tag}</span>
              ))}
            </div>
            <p>{note.text}</p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
