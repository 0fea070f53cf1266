// What the server answers to one question, asked once when a part of the page appears.
import { useEffect, useState } from 'preact/hooks';
import { patiently } from './api';

export interface Answered<T> {
  answer: T | null; // null until it is there
  problem: string | null;
}

/// `ask` must be the same function each time.
export function useAnswer<T>(ask: () => Promise<T>): Answered<T> {
  const [answered, setAnswered] = useState<Answered<T>>({ answer: null, problem: null });
  useEffect(() => {
    let here = true;
    patiently(ask, () => here).then(
      (answer) => here && setAnswered({ answer, problem: null }),
      (error: Error) => here && setAnswered({ answer: null, problem: error.message }),
    );
    return () => {
      here = false;
    };
  }, [ask]);
  return answered;
}
