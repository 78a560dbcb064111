/** The seam to tools: integrators implement {@link palyra.api.tool.Tool}. */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.2.0")
package palyra.api.tool;
