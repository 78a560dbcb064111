package palyra.bench.sandbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** What the measuring process tells, one JSON object a line. Used by one thread. */
final class Output {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PrintStream out;

    Output(PrintStream out) {
        this.out = out;
    }

    /** Tells what one contestant took in one round, in nanoseconds for each operation. */
    void round(String series, List<Long> nanos) throws IOException {
        ObjectNode line = JSON.createObjectNode().put("series", series);
        ArrayNode list = line.putArray("nanos");
        nanos.forEach(list::add);
        print(line);
    }

    /** Tells something that explains figures. */
    void fact(String name, String value) throws IOException {
        print(JSON.createObjectNode().put("fact", name).put("value", value));
    }

    private void print(ObjectNode line) throws IOException {
        out.println(JSON.writeValueAsString(line));
        out.flush();
    }
}
