// Worker program: reads files into the index. A separate entry of the bundle.
import { serveBuilder } from '../index/index.ts'
import { serveThread } from './serve.ts'

serveThread('index-worker', serveBuilder)
