// How zdx calls itself to servers and editors.
import manifest from '../package.json' with { type: 'json' }

export const ownName = { name: 'zdx', version: manifest.version }
