package palyra.health.internal;

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
 * {@code /hooks/…} while no connector takes it, because it is being replaced, say: the sender is to
 * send again, which a 404 would not tell it. A connector's own path is longer and so goes first.
 */
@Component(service = Servlet.class)
@HttpWhiteboardServletName("palyra-hooks")
@HttpWhiteboardServletPattern("/hooks/*")
public final class HooksServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Reply.refusal(
                        Reply.UNAVAILABLE,
                        "No message can be taken here now; send it again.",
                        Map.of("Retry-After", "5", "Connection", "close")) // its body is not read
                .send(request.getMethod().equals("HEAD"), response);
    }
}
