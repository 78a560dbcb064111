package palyra.gateway.internal.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import palyra.api.ErrorCode;
import palyra.api.PalyraException;
import palyra.api.core.gateway.AgentRegistry.Binding;
import palyra.api.core.gateway.AgentView;
import palyra.api.core.journal.Document;
import palyra.shared.json.Jcs;
import palyra.shared.json.StrictJson;

/** Stored forms of agents, bindings and the default: canonical JSON of the record components. */
final class AgentJson {
    /**
     * Unknown members are left alone, so that a newer gateway's documents can be read by an older
     * one.
     */
    private static final ObjectMapper MAPPER =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private AgentJson() {}

    static byte[] bytes(AgentView agent) {
        return Jcs.bytes(MAPPER.valueToTree(agent));
    }

    static AgentView agent(Document document) {
        return read(document, AgentView.class);
    }

    static byte[] binding(Binding binding) {
        return Jcs.bytes(MAPPER.valueToTree(binding));
    }

    static Binding binding(Document document) {
        return read(document, Binding.class);
    }

    static byte[] setting(String value) {
        return Jcs.bytes(JsonNodeFactory.instance.objectNode().put("value", value));
    }

    static String setting(Document document) {
        return read(document, JsonNode.class).path("value").asText("");
    }

    private static <T> T read(Document document, Class<T> type) {
        try {
            return MAPPER.treeToValue(StrictJson.parse(document.content(), "the document"), type);
        } catch (JsonProcessingException | PalyraException e) {
            throw new PalyraException(
                    ErrorCode.CORRUPT,
                    "Document "
                            + document.collection()
                            + "/"
                            + document.key()
                            + " cannot be read; restore it from a backup, or delete it and create it again.",
                    e);
        }
    }
}
