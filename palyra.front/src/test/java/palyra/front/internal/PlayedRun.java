package palyra.front.internal;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import palyra.api.run.RunState;
import palyra.api.tape.TapeEvent;

/**
 * A run as an engine plays it, by chance: turns of several attempts, both kinds of text live (with
 * losses) and later on the tape, and records between them.
 */
final class PlayedRun {
    private final MemoryTape tape;
    private final Random random;
    private final Pause pause;

    /** Called between two steps. */
    interface Pause {
        void pause() throws InterruptedException;
    }

    /** One piece of text. */
    private record Piece(boolean thought, long offset, String text) {}

    PlayedRun(MemoryTape tape, Random random, Pause pause) {
        this.tape = tape;
        this.random = random;
        this.pause = pause;
    }

    void play() throws InterruptedException {
        write(new TapeEvent.RunStateChanged(RunState.ACCEPTED, null, ""));
        write(new TapeEvent.RunStateChanged(RunState.RUNNING, null, ""));
        int turns = 1 + random.nextInt(2);
        for (int turn = 1; turn <= turns; turn++) {
            int attempts = 1 + random.nextInt(3);
            for (int attempt = 1; attempt <= attempts; attempt++) {
                if (attempt > 1) {
                    write(new TapeEvent.TurnRestarted(turn, attempt, "lost"));
                }
                write(TestRun.started(turn, attempt));
                stream(turn, attempt, attempt == attempts);
            }
            note();
        }
        write(new TapeEvent.RunStateChanged(RunState.SUCCEEDED, null, ""));
    }

    private void write(TapeEvent event) throws InterruptedException {
        tape.write(event);
        pause.pause();
    }

    /** The tape lags behind; an attempt that is lost may end anywhere. */
    private void stream(int turn, int attempt, boolean last) throws InterruptedException {
        StringBuilder answer = new StringBuilder();
        StringBuilder thought = new StringBuilder();
        Deque<Piece> untaped = new ArrayDeque<>();
        for (int i = random.nextInt(7); i > 0; i--) {
            boolean isThought = random.nextInt(3) == 0;
            StringBuilder all = isThought ? thought : answer;
            Piece piece = new Piece(isThought, all.length(), word());
            all.append(piece.text());
            if (random.nextInt(5) > 0) {
                tape.live(turn, attempt, isThought, piece.offset(), piece.text());
                pause.pause();
            }
            untaped.add(piece);
            while (random.nextBoolean() && !untaped.isEmpty()) {
                tape(turn, attempt, untaped.remove());
            }
            if (random.nextInt(6) == 0) {
                note();
            }
        }
        if (last) {
            // What is left of the answer stands in the whole text only; thoughts nowhere else.
            boolean taping = true;
            for (Piece piece : untaped) {
                taping = taping && random.nextInt(3) > 0;
                if (taping || piece.thought()) {
                    tape(turn, attempt, piece);
                }
            }
            write(TestRun.finished(turn, attempt, answer.toString()));
        }
    }

    private void tape(int turn, int attempt, Piece piece) throws InterruptedException {
        write(
                piece.thought()
                        ? new TapeEvent.ModelThought(turn, attempt, piece.text())
                        : new TapeEvent.ModelToken(turn, attempt, piece.text()));
    }

    private void note() throws InterruptedException {
        write(new TapeEvent.ExternalEvent("01J00000000000000000000009", "note", "user:a", "1"));
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            word.append((char) ('a' + random.nextInt(26)));
        }
        return word.toString();
    }
}
