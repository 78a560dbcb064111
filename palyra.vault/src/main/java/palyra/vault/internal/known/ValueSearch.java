package palyra.vault.internal.known;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import palyra.api.core.vault.KnownSecrets.Found;

/** Looks for the values of some indexes in a text, and for nothing else. For one use. */
final class ValueSearch {
    /** Text is looked at in pieces of so many characters, each with what may go on after it. */
    private static final int PIECE = 32_768;

    private final Fingerprint fingerprint;
    private final PartMac mac;
    private final List<ValueIndex> indexes;
    private final int longest;

    /** Authenticates part of a text. */
    interface PartMac {
        byte[] of(CharSequence text, int from, int to);
    }

    ValueSearch(Fingerprint fingerprint, PartMac mac, List<ValueIndex> indexes) {
        this.fingerprint = fingerprint;
        this.mac = mac;
        this.indexes = indexes;
        this.longest = indexes.stream().mapToInt(ValueIndex::longest).max().orElse(0);
    }

    List<Found> find(CharSequence text) {
        List<Found> found = new ArrayList<>();
        int at = indexes.isEmpty() ? text.length() : 0;
        while (at + Forms.HEAD <= text.length()) {
            int end = (int) Math.min(text.length(), (long) at + PIECE + longest);
            at = new Piece(text, at, end).find(Math.min(end, at + PIECE), found);
        }
        return found;
    }

    int safeLength(CharSequence text) {
        int from = Math.max(0, text.length() - Math.max(0, longest - 1));
        return indexes.isEmpty()
                ? text.length()
                : new Piece(text, from, text.length()).safeLength();
    }

    /** Part of a text, with the fingerprints of all its beginnings. */
    private final class Piece {
        private final CharSequence text;
        private final int from;
        private final int to;
        private final long[] until;

        Piece(CharSequence text, int from, int to) {
            this.text = text;
            this.from = from;
            this.to = to;
            until = new long[to - from + 1];
            for (int i = from; i < to; i++) {
                until[i - from + 1] = fingerprint.longer(until[i - from], text.charAt(i));
            }
        }

        private long of(int start, int end) {
            return fingerprint.end(until[end - from], until[start - from], end - start);
        }

        /** Finds what begins before {@code limit}; returns where to go on. */
        int find(int limit, List<Found> found) {
            int at = from;
            while (at < limit && at + Forms.HEAD <= to) {
                Form form = formAt(at);
                if (form == null) {
                    at++;
                } else {
                    found.add(new Found(at, at + form.length(), form.ref()));
                    at += form.length();
                }
            }
            return Math.max(at, limit);
        }

        /** Returns the longest form at a position; null without one. */
        private Form formAt(int at) {
            long head = of(at, at + Forms.HEAD);
            Form longestThere = null;
            for (ValueIndex index : indexes) {
                for (Form form : index.startingWith(head)) {
                    boolean longer = longestThere == null || form.length() > longestThere.length();
                    if (longer && standsAt(at, form)) {
                        longestThere = form;
                    }
                }
            }
            return longestThere;
        }

        private boolean standsAt(int at, Form form) {
            int end = at + form.length();
            return end <= to
                    && of(at, end) == form.whole()
                    && Arrays.equals(form.mac(), mac.of(text, at, end));
        }

        int safeLength() {
            for (int at = from; at < to; at++) {
                if (begins(at)) {
                    return at;
                }
            }
            return to;
        }

        private boolean begins(int at) {
            int length = to - at;
            if (length < Forms.HEAD) {
                long beginning = of(at, to);
                return indexes.stream().anyMatch(index -> index.beginsWith(length, beginning));
            }
            long head = of(at, at + Forms.HEAD);
            return indexes.stream()
                    .flatMap(index -> index.startingWith(head).stream())
                    .anyMatch(form -> mayGoOn(at, length, form));
        }

        private boolean mayGoOn(int at, int length, Form form) {
            int steps = length / Form.STEP;
            return form.length() > length
                    && (steps == 0 || of(at, at + steps * Form.STEP) == form.steps()[steps - 1]);
        }
    }
}
