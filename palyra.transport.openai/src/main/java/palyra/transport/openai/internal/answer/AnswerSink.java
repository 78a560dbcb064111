package palyra.transport.openai.internal.answer;

import palyra.transport.openai.internal.http.RefusedException;

/** Takes what a run says, in the client's form. Called by one thread at a time; never blocks. */
public interface AnswerSink {
    /** The run is known. Called once, first. */
    void opened();

    /** Takes a piece of reasoning: what the agent thinks, does and waits for. */
    void reasoning(String text);

    /** Takes a piece of the answer. */
    void content(String text);

    /** The run answered. */
    void finished(Outcome outcome);

    /** There is no answer, or no more of it. */
    void failed(RefusedException reason);
}
