package palyra.models.internal;

import palyra.api.model.ModelProvider;
import palyra.api.model.ModelRequest;
import palyra.testing.model.ModelProviderContract;

class DeterministicModelContractTest extends ModelProviderContract {
    @Override
    protected ModelProvider open() {
        return new DeterministicModel(new DeterministicSettings(100, 0));
    }

    @Override
    protected void withdraw(ModelProvider provider) {
        ((DeterministicModel) provider).withdraw();
    }

    @Override
    protected ModelRequest shortRequest(String requestId) {
        return Requests.plain(requestId, "Grüße 🙂🙂 aus " + "🚀".repeat(3_000));
    }

    @Override
    protected ModelRequest lastingRequest(String requestId) {
        return Requests.script(requestId, "{\"turns\":[[{\"say\":\"wait \"},{\"stall\":true}]]}");
    }
}
