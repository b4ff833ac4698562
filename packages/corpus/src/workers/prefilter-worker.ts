// A thread that reads files ahead of a search. Bundled as an entry of its own.
import { servePrefilter } from '../search/search.ts'
import { serveThread } from './serve.ts'

serveThread('prefilter-worker', servePrefilter)
