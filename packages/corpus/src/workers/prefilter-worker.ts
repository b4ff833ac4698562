// Worker program: reads files ahead of a search. A separate entry of the bundle.
import { servePrefilter } from '../search/search.ts'
import { serveThread } from './serve.ts'

serveThread('prefilter-worker', servePrefilter)
