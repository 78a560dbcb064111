package palyra.api.console;

import java.util.List;
import palyra.api.Require;

/** A part of a page. Every text is plain: the console makes the markup. */
public sealed interface Block {
    /** A heading within the page. */
    record Heading(String text) implements Block {
        /** Checks. */
        public Heading {
            Require.text(text, "heading");
        }
    }

    /** A paragraph. */
    record Paragraph(String text) implements Block {
        /** Checks. */
        public Paragraph {
            text = Require.orEmpty(text);
        }
    }

    /**
     * A sentence that a reader should notice.
     *
     * @param remedy what to do; may be empty
     */
    record Notice(Level level, String message, String remedy) implements Block {
        /** Checks. */
        public Notice {
            Require.present(level, "level");
            Require.text(message, "message");
            remedy = Require.orEmpty(remedy);
        }
    }

    /** A fact: a name and its value. */
    record Fact(String name, Value value) {
        /** Checks. */
        public Fact {
            Require.text(name, "name of a fact");
            Require.present(value, "value of " + name);
        }
    }

    /** Names and values below each other. */
    record Facts(List<Fact> facts) implements Block {
        /** Copies. */
        public Facts {
            facts = List.copyOf(facts);
        }
    }

    /** A row of a table: as many values as the table has columns. */
    record Row(List<Value> values) {
        /** Copies. */
        public Row {
            values = List.copyOf(values);
        }

        /** Returns a row. */
        public static Row of(Value... values) {
            return new Row(List.of(values));
        }
    }

    /**
     * A table.
     *
     * @param empty sentence shown in place of an empty table: what would be here, and how it comes
     *     about
     */
    record Table(List<String> columns, List<Row> rows, String empty) implements Block {
        /** Checks and copies. */
        public Table {
            columns = List.copyOf(columns);
            rows = List.copyOf(rows);
            Require.text(empty, "sentence for an empty table");
            for (Row row : rows) {
                Require.that(
                        row.values().size() == columns.size(),
                        "a row has "
                                + row.values().size()
                                + " values; the table has "
                                + columns.size()
                                + " columns");
            }
        }
    }

    /** Text in lines as they are, such as a file, a log or JSON. */
    record Preformatted(String title, String text) implements Block {
        /** Checks. */
        public Preformatted {
            title = Require.orEmpty(title);
            text = Require.orEmpty(text);
        }
    }

    /** Content that is closed until a reader opens it. */
    record Details(String summary, List<Block> blocks) implements Block {
        /** Checks and copies. */
        public Details {
            Require.text(summary, "summary of details");
            blocks = List.copyOf(blocks);
        }
    }

    /** A point of a series: unix milliseconds and a value. */
    record Point(long unixMillis, double value) {}

    /** A line of a chart. */
    record Series(String name, List<Point> points) {
        /** Checks and copies. */
        public Series {
            Require.text(name, "name of a series");
            points = List.copyOf(points);
        }
    }

    /**
     * A chart of values over time, shown as lines with a table for those who cannot see it.
     *
     * @param unit such as {@code ms} or {@code EUR}; may be empty
     */
    record Chart(String title, String unit, List<Series> series) implements Block {
        /** Checks and copies. */
        public Chart {
            Require.text(title, "title of a chart");
            unit = Require.orEmpty(unit);
            series = List.copyOf(series);
        }
    }

    /** What kind of input a field takes. */
    enum FieldKind {
        /** One line. */
        LINE,
        /** Lines. */
        LINES,
        /** Source text in a fixed-width font, such as a policy. */
        SOURCE,
        /** One line that is not shown, not kept and not filled in again. */
        SECRET,
        /** One of the options. */
        CHOICE,
        /** Yes ({@code true}) or no ({@code false}). */
        CHECK,
        /** Not shown; comes back as it was. */
        HIDDEN
    }

    /**
     * A field of a form.
     *
     * @param value what it holds at first; ignored for a secret
     * @param options of a choice; empty for other kinds
     * @param help one sentence below the field; may be empty
     */
    record Field(
            String name,
            String label,
            FieldKind kind,
            String value,
            List<String> options,
            String help,
            boolean required) {
        /** Checks and copies. */
        public Field {
            Require.that(
                    name != null && name.matches("[a-z][a-z0-9_]{0,31}"),
                    "field name '" + name + "' is not usable: one lower-case word");
            label = Require.orEmpty(label);
            Require.present(kind, "kind of field " + name);
            value = Require.orEmpty(value);
            options = List.copyOf(options);
            help = Require.orEmpty(help);
        }

        /** Returns a required field of one line. */
        public static Field line(String name, String label) {
            return new Field(name, label, FieldKind.LINE, "", List.of(), "", true);
        }

        /** Returns a field that is not shown. */
        public static Field hidden(String name, String value) {
            return new Field(name, "", FieldKind.HIDDEN, value, List.of(), "", false);
        }
    }

    /**
     * A form, or with no fields to see a button.
     *
     * @param id one lower-case word, unique on the page
     * @param label text of its button
     * @param action policy action that is authorised and recorded before {@link
     *     ConsolePanel#submit}; a reader who may not perform it does not see the form
     * @param resource what it is about, for the decision and the record; may be empty
     * @param confirm question that a person must answer with yes first; empty for none
     * @param sensitive whether the person is asked for a factor again unless that was a moment ago
     * @param fields its fields
     */
    record Form(
            String id,
            String label,
            String action,
            String resource,
            String confirm,
            boolean sensitive,
            List<Field> fields)
            implements Block {
        /** Checks and copies. */
        public Form {
            Require.that(
                    id != null && id.matches("[a-z][a-z0-9-]{0,31}"),
                    "form id '" + id + "' is not usable: one lower-case word");
            Require.text(label, "label of form " + id);
            Require.text(action, "action of form " + id);
            resource = Require.orEmpty(resource);
            confirm = Require.orEmpty(confirm);
            fields = List.copyOf(fields);
        }
    }
}
