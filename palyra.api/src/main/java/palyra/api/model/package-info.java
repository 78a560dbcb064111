/** The seam to language models: integrators implement {@link palyra.api.model.ModelProvider}. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("3.0.0")
package palyra.api.model;
