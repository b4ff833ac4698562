// Collects the tokens of a time expression by meaning. Their order hardly matters: `9:00 tomorrow` and
// `tomorrow at 9:00` have the same terms.
import type { CivilDate } from '../calendar/calendar.ts'
import { notUnderstood } from './errors.ts'
import type { Token } from './tokens.ts'
import { tokensOf } from './tokens.ts'
import type { Unit } from './words.ts'
import { dayGroups, fillers, months, numbers, ordinals, repeats, units, weekdays } from './words.ts'

/** One hundred years of each unit. */
const maxCounts: Readonly<Record<Unit, number>> = {
  second: 3.2e9,
  minute: 5.3e7,
  hour: 880_000,
  day: 36_500,
  week: 5200,
  month: 1200,
  year: 100,
}

export interface Terms {
  instant: number | undefined
  dates: CivilDate[]
  /** Days of a named month, with or without a year. */
  monthDates: { month: number; day: number; year: number | undefined }[]
  times: number[]
  /** From one time of the day to another. */
  window: { from: number; to: number } | undefined
  weekdays: number[]
  monthDays: number[]
  nthWeekdays: { nth: number; weekday: number }[]
  durations: { n: number; unit: Unit }[]
  /** Days from today: 0 for today. */
  daysAhead: number | undefined
  zone: string | undefined
  /** The expression begins with `every`, or holds a word such as `daily`. */
  isRepeated: boolean
  isNow: boolean
}

export function termsOf(text: string): Terms {
  return new TermReader(tokensOf(text)).read()
}

class TermReader {
  readonly #tokens: readonly Token[]
  #index = 0
  readonly #terms: Terms = {
    instant: undefined,
    dates: [],
    monthDates: [],
    times: [],
    window: undefined,
    weekdays: [],
    monthDays: [],
    nthWeekdays: [],
    durations: [],
    daysAhead: undefined,
    zone: undefined,
    isRepeated: false,
    isNow: false,
  }

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  read(): Terms {
    for (let token = this.#next(); token !== undefined; token = this.#next()) this.#take(token)
    return this.#terms
  }

  #next(): Token | undefined {
    const token = this.#tokens[this.#index]
    this.#index += 1
    return token
  }

  /** The next token, without fillers such as `of the`. */
  #peek(): Token | undefined {
    for (let index = this.#index; ; index += 1) {
      const token = this.#tokens[index]
      if (token?.kind === 'word' && fillers.has(token.word)) continue
      return token
    }
  }

  /** Continues after the token that `#peek` returned. */
  #skipTo(token: Token): void {
    this.#index = this.#tokens.indexOf(token, this.#index) + 1
  }

  #take(token: Token): void {
    const terms = this.#terms
    switch (token.kind) {
      case 'instant':
        terms.instant = token.ms
        return
      case 'date':
        terms.dates.push(token.date)
        return
      case 'time':
        this.#takeTime(token.seconds)
        return
      case 'zone':
        terms.zone = token.zone
        return
      case 'number':
        this.#takeNumber(token.value, token.isOrdinal)
        return
      case 'to':
        throw notUnderstood('a range needs a weekday or a time on both sides')
      case 'word':
        this.#takeWord(token.word)
    }
  }

  #takeTime(seconds: number): void {
    const end = this.#rangeEnd()
    if (end === undefined) {
      this.#terms.times.push(seconds)
      return
    }
    if (end.kind !== 'time') throw notUnderstood('a range of times needs a time at its end')
    this.#terms.window = { from: seconds, to: end.seconds }
  }

  /** The token after `..`, if a range follows. */
  #rangeEnd(): Token | undefined {
    const [to, end] = [this.#tokens[this.#index], this.#tokens[this.#index + 1]]
    const isRange =
      to?.kind === 'to' || (to?.kind === 'word' && to.word === 'and' && this.#isOpen())
    if (!isRange || end === undefined) return undefined
    if (to?.kind === 'word' && end.kind !== 'time') return undefined
    this.#index += 2
    return end
  }

  /** Whether the expression says `between`, so that `and` joins the ends of a range. */
  #isOpen(): boolean {
    return this.#tokens.some((token) => token.kind === 'word' && token.word === 'between')
  }

  #takeNumber(value: number, isOrdinal: boolean): void {
    const follower = this.#peek()
    if (follower?.kind === 'word') {
      const { word } = follower
      const month = months.get(word)
      if (month !== undefined) {
        this.#skipTo(follower)
        this.#takeMonthDate(month, value)
        return
      }
      const unit = units.get(word)
      if (unit !== undefined && !isOrdinal) {
        this.#skipTo(follower)
        this.#takeDuration(value, unit)
        return
      }
    }
    if (isOrdinal) this.#takeOrdinal(value)
    else throw notUnderstood(`what is ${value}?`)
  }

  /** `1st`, `last day of month`, `2nd tue`, `second day`. */
  #takeOrdinal(nth: number): void {
    const follower = this.#peek()
    const word = follower?.kind === 'word' ? follower.word : ''
    const weekday = weekdays.get(word)
    if (weekday !== undefined) {
      if (nth === 0 || nth > 5) throw notUnderstood(`a month has no weekday number ${nth}`)
      this.#skipTo(follower as Token)
      this.#terms.nthWeekdays.push({ nth, weekday })
      this.#skipOfMonth()
      return
    }
    const month = months.get(word)
    if (month !== undefined) {
      this.#skipTo(follower as Token)
      this.#takeMonthDate(month, nth)
      return
    }
    if (units.get(word) === 'day') this.#skipTo(follower as Token)
    if (nth === 0 || nth > 31) throw notUnderstood(`a month has no day ${nth}`)
    const inMonth = this.#peek()
    const named = inMonth?.kind === 'word' ? months.get(inMonth.word) : undefined
    if (named !== undefined) {
      this.#skipTo(inMonth as Token)
      this.#takeMonthDate(named, nth)
      return
    }
    this.#terms.monthDays.push(nth)
    this.#skipOfMonth()
  }

  #skipOfMonth(): void {
    const follower = this.#peek()
    const word = follower?.kind === 'word' ? follower.word : ''
    if (units.get(word) === 'month' || word === 'monthly') this.#skipTo(follower as Token)
  }

  #takeMonthDate(month: number, day: number): void {
    const isDay = Number.isInteger(day) && day !== 0 && day >= -1 && day <= longestMonth(month)
    if (!isDay) throw notUnderstood(`month ${month} has no day ${day}`)
    const follower = this.#peek()
    const year = follower?.kind === 'number' && follower.value >= 1000 ? follower : undefined
    if (year !== undefined) this.#skipTo(year)
    this.#terms.monthDates.push({ month, day, year: year?.value })
  }

  #takeDuration(n: number, unit: Unit): void {
    const isWhole = unit === 'hour' || unit === 'minute' || Number.isInteger(n)
    if (!isWhole || n <= 0 || n > maxCounts[unit])
      throw notUnderstood(`${n} ${unit}s is no duration`)
    this.#terms.durations.push({ n, unit })
  }

  #takeWord(word: string): void {
    const terms = this.#terms
    const weekday = weekdays.get(word)
    if (weekday !== undefined) return this.#takeWeekday(weekday)
    const group = dayGroups.get(word)
    if (group !== undefined) return void terms.weekdays.push(...group)
    const repeat = repeats.get(word)
    if (repeat !== undefined) {
      terms.isRepeated = true
      return void terms.durations.push({ n: 1, unit: repeat })
    }
    const month = months.get(word)
    if (month !== undefined) return this.#takeMonth(month)
    const follower = this.#peek()
    const unit = follower?.kind === 'word' ? units.get(follower.word) : undefined
    if (word === 'other' || word === 'half') return this.#takePart(word, follower, unit)
    if (word === 'second' && unit !== undefined && follower !== undefined) {
      this.#skipTo(follower)
      return this.#takeDuration(2, unit)
    }
    if (word === 'second' && !this.#isWeekday(follower)) return this.#takeDuration(1, 'second')
    const ordinal = ordinals.get(word)
    if (ordinal !== undefined) return this.#takeOrdinal(ordinal)
    const number = numbers.get(word)
    if (number !== undefined) return this.#takeNumber(number, false)
    this.#takePlainWord(word)
  }

  #takePlainWord(word: string): void {
    const terms = this.#terms
    const unit = units.get(word)
    if (unit !== undefined) {
      // `working days`, `business days`.
      const before = this.#tokens[this.#index - 2]
      const isWork = before?.kind === 'word' && /^(working|business)$/.test(before.word)
      if (isWork && unit === 'day') terms.weekdays.push(1, 2, 3, 4, 5)
      else terms.durations.push({ n: 1, unit })
    } else if (word === 'today' || word === 'tonight') {
      terms.daysAhead ??= 0
      if (word === 'tonight' && !this.#hasTime()) terms.times.push(20 * 3600)
    } else if (word === 'tomorrow' || word === 'tmrw') {
      terms.daysAhead = this.#takeDayAfter() ? 2 : 1
    } else if (word === 'every' || word === 'each') {
      terms.isRepeated = true
    } else if (word === 'now') {
      terms.isNow = this.#tokens.length === 1
    } else if (word !== 'after' && !fillers.has(word)) {
      throw notUnderstood(`'${word}' is not known`)
    }
  }

  #takeWeekday(first: number): void {
    const end = this.#rangeEnd()
    if (end === undefined) return void this.#terms.weekdays.push(first)
    const last = end.kind === 'word' ? weekdays.get(end.word) : undefined
    if (last === undefined) {
      const shown = end.kind === 'word' ? `'${end.word}' is not a weekday` : 'it is not a weekday'
      throw notUnderstood(`a range of weekdays needs a weekday at its end, ${shown}`)
    }
    for (let day = first; ; day = (day + 1) % 7) {
      this.#terms.weekdays.push(day)
      if (day === last) return
    }
  }

  #takeMonth(month: number): void {
    const follower = this.#tokens[this.#index]
    if (follower?.kind !== 'number' || follower.value >= 1000) {
      throw notUnderstood('a month needs a day, such as 1 dec')
    }
    this.#index += 1
    this.#takeMonthDate(month, follower.value)
  }

  /** `other day` is every second one; `half an hour` is 30 minutes. */
  #takePart(word: string, follower: Token | undefined, unit: Unit | undefined): void {
    if (word === 'other' && unit !== undefined && follower !== undefined) {
      this.#skipTo(follower)
      this.#takeDuration(2, unit)
      return
    }
    const [article, hour] = [this.#tokens[this.#index], this.#tokens[this.#index + 1]]
    const isArticle = article?.kind === 'word' && numbers.get(article.word) === 1
    const last = isArticle ? hour : article
    if (word === 'half' && last?.kind === 'word' && units.get(last.word) === 'hour') {
      this.#index += isArticle ? 2 : 1
      this.#takeDuration(30, 'minute')
      return
    }
    throw notUnderstood(`'${word}' needs a unit after it`)
  }

  /** Whether the word before is `after`, as in `the day after tomorrow`, whose `day` was read as a unit. */
  #takeDayAfter(): boolean {
    const before = this.#tokens[this.#index - 2]
    if (before?.kind !== 'word' || before.word !== 'after') return false
    this.#terms.durations.pop()
    return true
  }

  #hasTime(): boolean {
    return this.#tokens.some(({ kind }) => kind === 'time')
  }

  #isWeekday(token: Token | undefined): boolean {
    return token?.kind === 'word' && weekdays.has(token.word)
  }
}

function longestMonth(month: number): number {
  return new Date(Date.UTC(2000, month, 0)).getUTCDate()
}
