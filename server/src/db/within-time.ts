/** Rejects if the work takes too long. The work itself continues. */
export async function withinTime<T>(work: Promise<T>, maxWaitMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error("the database took too long to answer"));
    }, maxWaitMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
