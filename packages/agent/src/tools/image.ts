// Recognises images by their first bytes.

const signatures: readonly { mediaType: string; matches: (head: Buffer) => boolean }[] = [
  { mediaType: 'image/png', matches: (head) => startsWith(head, '\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', matches: (head) => startsWith(head, '\xff\xd8\xff') },
  {
    mediaType: 'image/gif',
    matches: (head) => startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a'),
  },
  {
    mediaType: 'image/webp',
    matches: (head) => startsWith(head, 'RIFF') && head.toString('latin1', 8, 12) === 'WEBP',
  },
]

/** The largest image that is sent to a model. */
export const maxImageBytes = 5_000_000

/** The media type of an image that models accept; undefined for other files. */
export function imageType(head: Buffer): string | undefined {
  return signatures.find(({ matches }) => matches(head))?.mediaType
}

function startsWith(head: Buffer, text: string): boolean {
  return head.toString('latin1', 0, text.length) === text
}
