// One search as its parts see it: the request, how it is matched, and where the hits go.
import type { RequestTime } from '../engine.ts'
import type { Matcher } from './matcher.ts'
import type { SearchRequest } from './request.ts'
import type { SearchResult } from './result.ts'

export interface SearchTask {
  request: SearchRequest
  matcher: Matcher
  result: SearchResult
  time: RequestTime
}
