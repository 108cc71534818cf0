/** An e-mail address, which breaks after its @ if it does not fit into a line. */
export function Email({ address }: { address: string }) {
  const [name = '', ...domain] = address.split('@');
  if (domain.length === 0) return name;
  return (
    <>
      {name}@<wbr />
      {domain.join('@')}
    </>
  );
}
