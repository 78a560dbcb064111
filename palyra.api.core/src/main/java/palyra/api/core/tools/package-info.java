/** Executors that own running tool calls. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("4.2.0")
package palyra.api.core.tools;
