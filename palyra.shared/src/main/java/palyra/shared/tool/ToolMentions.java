package palyra.shared.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import palyra.api.tool.ToolDescriptor;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/**
 * What descriptions of tools say about other tools. A model that has some of them is to hear of
 * those alone: a sentence that names a tool which it does not have is left out. Pure functions.
 */
public final class ToolMentions {
    private static final Pattern NAME = Pattern.compile("[a-z0-9]+(?:[._-][a-z0-9]+)+");
    private static final Pattern BETWEEN_SENTENCES = Pattern.compile("(?<=\\.) +");
    private static final String DESCRIPTION = "description";

    private ToolMentions() {}

    /**
     * Returns those tools of a catalogue that are on a list, as one who has no others is to read
     * about them.
     */
    public static List<ToolDescriptor> offered(
            List<ToolDescriptor> catalogue, Collection<String> listed) {
        Set<String> others = others(catalogue.stream().map(ToolDescriptor::name), listed);
        return catalogue.stream()
                .filter(tool -> listed.contains(tool.name()))
                .map(tool -> without(tool, others))
                .toList();
    }

    /** Returns a text for one who has the listed tools of a catalogue and no others of it. */
    public static String heard(
            String text, Collection<String> catalogue, Collection<String> listed) {
        return without(text, others(catalogue.stream(), listed));
    }

    private static Set<String> others(Stream<String> catalogue, Collection<String> listed) {
        return catalogue.filter(name -> !listed.contains(name)).collect(Collectors.toSet());
    }

    private static ToolDescriptor without(ToolDescriptor tool, Set<String> others) {
        if (!names(tool.description(), others) && !names(tool.inputSchemaJson(), others)) {
            return tool;
        }
        String described = without(tool.description(), others);
        JsonNode schema = StrictJson.parse(tool.inputSchemaJson(), "the schema of " + tool.name());
        schema.findParents(DESCRIPTION).forEach(part -> shorten((ObjectNode) part, others));
        return new ToolDescriptor(
                tool.name(),
                described.isBlank() ? tool.name() : described,
                Jcs.text(schema),
                tool.capabilities(),
                tool.idempotent(),
                tool.readOnly(),
                tool.timeoutMillis(),
                tool.maxInputBytes());
    }

    private static void shorten(ObjectNode part, Set<String> others) {
        if (part.get(DESCRIPTION).isTextual()) {
            part.put(DESCRIPTION, without(part.get(DESCRIPTION).textValue(), others));
        }
    }

    private static String without(String text, Set<String> others) {
        return Arrays.stream(BETWEEN_SENTENCES.split(text))
                .filter(sentence -> !names(sentence, others))
                .collect(Collectors.joining(" "));
    }

    /** Returns whether a text has one of some names of tools. */
    public static boolean names(String text, Set<String> tools) {
        return NAME.matcher(text).results().anyMatch(found -> tools.contains(found.group()));
    }
}
