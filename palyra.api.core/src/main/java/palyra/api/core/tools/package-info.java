/** Executors that own running tool calls. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("6.0.0")
package palyra.api.core.tools;
