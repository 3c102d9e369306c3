/** The example body for an order in `GET /__mock`, with every field that a caller can set. */
export const orderExample = {
  id: 90_001,
  bestellnummer: 'B-2026-900001',
  status: 'bezahlt',
  zahlungsstatus: 'bezahlt',
  lieferstatus: 'geliefert',
  gesamtpreis_brutto: '249.00',
  waehrung: 'EUR',
  created_at: '2026-07-01 12:30:15',
  items: [
    {
      id: 1,
      product_name: 'Büro Suite 2026 Professional',
      menge: 1,
      einzelpreis_brutto: '249.00',
      license_codes: [
        {
          id: 1,
          license_key: 'AAAAA-BBBBB-CCCCC-DDDDD-EEEEE',
          code_typ: 'retail',
          download_url_64: 'https://downloads.example.test/setup-x64.exe',
          download_url_32: null,
          aktivierungen_bestellung: 1,
        },
      ],
    },
  ],
  billing_address: { name: 'Jürgen Müller', company: 'Müller & Söhne GmbH', city: 'Dresden' },
};
