package palyra.transport.openai.internal.ask;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import palyra.shared.json.StrictJson;
import palyra.transport.openai.internal.http.RefusedException;

class ReadersTest {
    private static final String HI = "\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]";

    private static ObjectNode json(String text) {
        return (ObjectNode) StrictJson.parse(text.replace('\'', '"'), "the test's request");
    }

    private static Ask chat(String further) {
        return ChatReader.read(json("{\"model\":\"default\"," + HI + further + "}"));
    }

    private static Ask messages(String list) {
        return ChatReader.read(json("{'model':'default','messages':" + list + "}"));
    }

    private static Ask responses(String further) {
        return ResponsesReader.read(json("{'model':'default','input':'Hi'" + further + "}"));
    }

    private static void refused(int status, Runnable reading) {
        RefusedException refusal = assertThrows(RefusedException.class, reading::run);
        assertEquals(status, refusal.status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'n':2",
                "'n':'1'",
                "'tools':[{}]",
                "'functions':[{}]",
                "'tool_choice':'required'",
                "'tool_choice':{'type':'function'}",
                "'logprobs':true",
                "'top_logprobs':2",
                "'audio':{'voice':'x'}",
                "'modalities':['text','audio']",
                "'response_format':{'type':'json_object'}",
                "'stop':['x']",
                "'stop':'x'",
                "'web_search_options':{}",
                "'stream':'yes'",
                "'stream_options':{'include_usage':1}",
                "'user':1",
                "'max_tool_calls':1"
            })
    void refusesWhatWouldChangeTheMeaning(String field) {
        refused(400, () -> chat("," + field.replace('\'', '"')));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'n':1",
                "'n':null",
                "'tools':[]",
                "'tool_choice':'auto'",
                "'logprobs':false",
                "'top_logprobs':0",
                "'modalities':['text']",
                "'response_format':{'type':'text'}",
                "'stop':null",
                "'store':false",
                "'stream':null"
            })
    void takesTheSameFieldsWhereTheyAreHarmless(String field) {
        assertEquals("Hi", chat("," + field.replace('\'', '"')).newest());
    }

    @Test
    void namesWhatItIgnores() {
        Ask ask = chat(",\"temperature\":0.5,\"max_tokens\":5,\"seed\":null,\"b\\u0000d\":1");
        assertEquals(List.of("temperature", "max_tokens"), ask.ignored());
    }

    @Test
    void joinsTextPartsAndRefusesOthersInTheNewestMessageAlone() {
        String image = "{'type':'image_url','image_url':{'url':'data:x'}}";
        Ask ask =
                messages(
                        "[{'role':'user','content':["
                                + image
                                + "]},{'role':'assistant','content':'A'},"
                                + "{'role':'user','content':[{'type':'text','text':'a'},"
                                + "{'type':'text','text':'b'}]}]");
        assertEquals("a\nb", ask.newest());
        assertEquals("[a part of type image_url]", ask.earlier().get(0).text());
        refused(400, () -> messages("[{'role':'user','content':[" + image + "]}]"));
        refused(
                400,
                () ->
                        messages(
                                "[{'role':'user','content':["
                                        + image
                                        + "]},{'role':'system','content':'x'}]"));
    }

    @Test
    void theLastMessageIsTheUsers() {
        refused(400, () -> messages("[{'role':'system','content':'x'}]"));
        refused(
                400,
                () ->
                        messages(
                                "[{'role':'user','content':'x'},{'role':'assistant','content':'y'}]"));
        refused(
                400,
                () -> messages("[{'role':'user','content':'x'},{'role':'tool','content':'y'}]"));
        refused(400, () -> messages("[{'role':'user','content':'  '}]"));
        refused(400, () -> messages("[{'role':'admin','content':'x'}]"));
        refused(400, () -> messages("[]"));
        Ask ask =
                messages(
                        "[{'role':'developer','content':'d'},{'role':'user','content':'x'},"
                                + "{'role':'system','content':'s'}]");
        assertEquals("x", ask.newest());
        assertEquals("d\n\ns", ask.instructions());
    }

    @Test
    void readsResponses() {
        assertEquals("Hi", responses("").newest());
        assertEquals("resp_1", responses(",'previous_response_id':'resp_1'").previousResponseId());
        assertEquals("Be brief.", responses(",'instructions':'Be brief.'").instructions());
        assertEquals("Hi", responses(",'text':{'verbosity':'low'}").newest());
        for (String wrong :
                List.of(
                        ",'store':false",
                        ",'background':true",
                        ",'conversation':'c'",
                        ",'prompt':{'id':'p'}",
                        ",'text':{'format':{'type':'json_schema'}}")) {
            refused(400, () -> responses(wrong));
        }
        refused(400, () -> ResponsesReader.read(json("{'model':'default'}")));
        refused(
                400,
                () ->
                        ResponsesReader.read(
                                json(
                                        "{'model':'default','input':[{'type':'function_call_output',"
                                                + "'output':'x'}]}")));
    }
}
