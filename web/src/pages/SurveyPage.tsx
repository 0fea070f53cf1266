// The two questions of Carlo 2020.
import { useEffect, useState } from 'preact/hooks';
import { api, patiently } from '../api';
import { settings } from '../settings';
import type { Question } from '../types';

export function SurveyPage() {
  const [questions, setQuestions] = useState<Question[] | null>(null);
  const [answers, setAnswers] = useState<Record<string, string>>({});
  const [state, setState] = useState<'open' | 'sending' | 'thanks'>('open');
  const [problem, setProblem] = useState<string | null>(null);

  useEffect(() => {
    let here = true;
    patiently(api.questions, () => here).then(
      (answer) => here && setQuestions(answer),
      (error: Error) => here && setProblem(error.message),
    );
    return () => {
      here = false;
    };
  }, []);

  const send = async (event: Event) => {
    event.preventDefault();
    const open = questions?.find((question) => !answers[question.name]);
    if (open) return setProblem(`Please answer: ${open.question}`);
    setState('sending');
    setProblem(null);
    try {
      await patiently(() => api.answer({ feel: answers.feel ?? '', age: answers.age ?? '' }));
      setState('thanks');
    } catch (error) {
      setProblem((error as Error).message);
      setState('open');
    }
  };

  if (state === 'thanks') {
    return (
      <article class="text">
        <h1>Thank you</h1>
        <p role="status">
          Your answers are counted. See them among the others in the{' '}
          <a href="/statistics">statistics</a>, or <a href="/">play again</a>.
        </p>
      </article>
    );
  }
  return (
    <article class="text">
      <h1>How did it feel?</h1>
      <p>
        Two questions, as in the bachelor thesis that Rowbot’s levels come from. The answers are
        counted and not linked to you: there is no name, no address and no cookie.
      </p>
      {!questions && !problem && <p role="status">One moment.</p>}
      <form onSubmit={send} class="survey">
        {questions?.map((question) => (
          <fieldset key={question.name}>
            <legend>{question.question}</legend>
            {question.choices.map((choice) => (
              <label key={choice.key}>
                <input
                  type="radio"
                  name={question.name}
                  value={choice.key}
                  checked={answers[question.name] === choice.key}
                  onChange={() => setAnswers({ ...answers, [question.name]: choice.key })}
                />
                <span>{choice.label}</span>
              </label>
            ))}
          </fieldset>
        ))}
        {problem && (
          <p class="trouble" role="alert">
            {problem}
          </p>
        )}
        {questions && (
          <button type="submit" class="primary" disabled={state === 'sending'}>
            Send
          </button>
        )}
      </form>
      {settings().lastGame && (
        <p>
          <a href={`/g/${settings().lastGame}`}>Back to your game</a>
        </p>
      )}
    </article>
  );
}
