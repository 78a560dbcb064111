package palyra.health.internal;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.Servlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletName;
import org.osgi.service.servlet.whiteboard.propertytypes.HttpWhiteboardServletPattern;
import palyra.shared.http.Reply;

/**
 * {@code /v1/…} while the OpenAI-compatible server is not there, because it is being replaced, say:
 * clients try again by themselves, which a 404 would keep them from. Its own servlet ranks higher.
 */
@Component(service = Servlet.class)
@HttpWhiteboardServletName("palyra-v1")
@HttpWhiteboardServletPattern("/v1/*")
public final class AwayServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.putObject("error")
                .put("message", "The server of /v1 is not there now; send the request again.")
                .put("type", "server_error")
                .putNull("param")
                .put("code", "unavailable");
        new Reply(
                        Reply.UNAVAILABLE,
                        "application/json",
                        Reply.json(Reply.UNAVAILABLE, body).body(),
                        Map.of("Retry-After", "1", "Connection", "close")) // its body is not read
                .send(false, response);
    }
}
