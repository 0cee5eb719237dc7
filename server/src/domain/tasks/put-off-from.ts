/** The day from which a task is put off: its own, or today where that has passed or there is none. */
export function putOffFrom(due: string | null, today: string): string {
  return due !== null && due > today ? due : today;
}
