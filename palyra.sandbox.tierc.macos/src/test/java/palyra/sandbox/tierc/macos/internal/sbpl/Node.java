package palyra.sandbox.tierc.macos.internal.sbpl;

import java.util.ArrayList;
import java.util.List;

/** Expressions of SBPL as text has them. */
sealed interface Node {
    /** A name or a number. */
    record Symbol(String name) implements Node {}

    /** A string, also a raw one. */
    record Text(String value) implements Node {}

    /** A list in parentheses. */
    record Form(List<Node> parts) implements Node {
        String head() {
            return parts.get(0) instanceof Symbol symbol ? symbol.name() : "";
        }

        List<Node> rest() {
            return parts.subList(1, parts.size());
        }
    }

    /** Reads all expressions of a text; refuses parentheses and quotes that do not match. */
    static List<Node> parse(String text) {
        Reader reader = new Reader(text);
        List<Node> nodes = new ArrayList<>();
        for (Node node = reader.next(); node != null; node = reader.next()) {
            nodes.add(node);
        }
        return nodes;
    }

    /** Reads one text. */
    final class Reader {
        private final String text;
        private int at;

        private Reader(String text) {
            this.text = text;
        }

        private Node next() {
            skip();
            if (at == text.length()) {
                return null;
            }
            char first = text.charAt(at);
            return switch (first) {
                case '(' -> form();
                case ')' -> throw wrong("a parenthesis closes nothing");
                case '"' -> string(true);
                case '#' -> raw();
                default -> symbol();
            };
        }

        private void skip() {
            while (at < text.length()) {
                if (text.charAt(at) == ';') {
                    int end = text.indexOf('\n', at);
                    at = end < 0 ? text.length() : end;
                } else if (Character.isWhitespace(text.charAt(at))) {
                    at++;
                } else {
                    return;
                }
            }
        }

        private Form form() {
            at++;
            List<Node> parts = new ArrayList<>();
            for (skip(); at < text.length() && text.charAt(at) != ')'; skip()) {
                parts.add(next());
            }
            if (at == text.length()) {
                throw wrong("a parenthesis is never closed");
            }
            at++;
            if (parts.isEmpty()) {
                throw wrong("a form is empty");
            }
            return new Form(parts);
        }

        private Text raw() {
            at++;
            if (at == text.length() || text.charAt(at) != '"') {
                throw wrong("'#' without a string");
            }
            return string(false);
        }

        private Text string(boolean escapes) {
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
                if (escapes && text.charAt(at) == '\\') {
                    at++;
                }
                value.append(text.charAt(at));
            }
            if (at >= text.length()) {
                throw wrong("a string is never closed");
            }
            at++;
            return new Text(value.toString());
        }

        private Symbol symbol() {
            int start = at;
            while (at < text.length() && "()\"; \n\t\r".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return new Symbol(text.substring(start, at));
        }

        private IllegalArgumentException wrong(String what) {
            return new IllegalArgumentException(what + " near " + at);
        }
    }
}
