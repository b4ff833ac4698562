// The client side of tmr, for other rooms.
export { askTimerService } from './ask-timers.ts'
