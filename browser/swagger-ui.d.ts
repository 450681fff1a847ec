/** What is used of Swagger UI, whose package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface Ui {
    /** Fills in the token of a security scheme of the description. */
    preauthorizeApiKey(scheme: string, token: string): void;
  }

  /** Shows a description; its options are those of https://swagger.io/docs/open-source-tools/swagger-ui/usage/configuration/. */
  export default function SwaggerUI(options: object): Ui;
}
