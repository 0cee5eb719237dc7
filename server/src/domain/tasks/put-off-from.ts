/** The day to postpone from: the due date, or today if it has passed or there is none. */
export function putOffFrom(due: string | null, today: string): string {
  return due !== null && due > today ? due : today;
}
