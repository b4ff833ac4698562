// Breaks an error line between words on a terminal. Loaded only after an error: hot commands do not pay for it.
import { fitLines } from '../text/fit-lines.ts'

export function fitError(line: string, stream: NodeJS.WriteStream): string {
  return fitLines([line], stream).join('\n')
}
