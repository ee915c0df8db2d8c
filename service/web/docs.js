// Starts Swagger UI on the page /docs, light or dark as the reader likes it.

const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();

SwaggerUIBundle({
  url: "/openapi.yaml",
  dom_id: "#docs",
  deepLinking: true,
  tryItOutEnabled: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  // Otherwise it asks a host in the internet whether the contract is valid.
  validatorUrl: null,
});
