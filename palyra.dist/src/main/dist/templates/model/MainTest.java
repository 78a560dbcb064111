package @name@.internal;

import java.util.List;
import palyra.api.model.ModelMessage;
import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.testing.model.ModelProviderContract;

/** The rules of every model provider. */
class @Class@ModelTest extends ModelProviderContract {
    @Override
    protected ModelProvider open() {
        return new @Class@Model();
    }

    @Override
    protected void withdraw(ModelProvider provider) throws Exception {
        ((@Class@Model) provider).close();
    }

    @Override
    protected ModelRequest shortRequest(String requestId) {
        return request(requestId, "hello 😀");
    }

    @Override
    protected ModelRequest lastingRequest(String requestId) {
        return request(requestId, "again ".repeat(10_000));
    }

    private static ModelRequest request(String id, String text) {
        return new ModelRequest(
                id, "", "", List.of(new ModelMessage.User(text)), List.of(), false, 0);
    }
}
