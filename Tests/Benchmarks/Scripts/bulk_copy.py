"""Makes the rows of `person` into rows of `staged_person` by the bulk operations of a library.

usage: bulk_copy.py sqlalchemy|django URL

Ends with 3 where the library is not there.
"""

import sys

BATCH = 1000


def split(name):
    first, _, last = name.partition(" ")
    return first, last


def copy_by_sqlalchemy(url):
    from sqlalchemy import BigInteger, Integer, Numeric, String, create_engine, insert, select
    from sqlalchemy.orm import DeclarativeBase, Session, mapped_column

    class Base(DeclarativeBase):
        pass

    class Person(Base):
        __tablename__ = "person"
        id = mapped_column("_id", BigInteger, primary_key=True)
        name = mapped_column(String)
        amount = mapped_column(Numeric(12, 2))
        quantity = mapped_column(Integer)

    class StagedPerson(Base):
        __tablename__ = "staged_person"
        id = mapped_column("_id", BigInteger, primary_key=True)
        first_name = mapped_column(String)
        last_name = mapped_column(String)
        amount = mapped_column(Numeric(12, 2))
        quantity = mapped_column(Integer)
        total = mapped_column(Numeric(14, 2))

    engine = create_engine(url.replace("postgresql:", "postgresql+psycopg2:", 1))
    with Session(engine) as session:
        StagedPerson.__table__.create(session.connection())
        people = session.execute(
            select(Person.id, Person.name, Person.amount, Person.quantity).execution_options(
                yield_per=BATCH
            )
        )
        for batch in people.partitions():
            rows = []
            for id, name, amount, quantity in batch:
                first, last = split(name)
                rows.append(
                    {
                        "id": id,
                        "first_name": first,
                        "last_name": last,
                        "amount": amount,
                        "quantity": quantity,
                        "total": amount * quantity,
                    }
                )
            session.execute(insert(StagedPerson), rows)
        session.commit()


def copy_by_django(url):
    import django
    from django.conf import settings
    from urllib.parse import parse_qs, urlsplit

    parts = urlsplit(url)
    query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    settings.configure(
        DATABASES={
            "default": {
                "ENGINE": "django.db.backends.postgresql",
                "NAME": parts.path.lstrip("/"),
                "HOST": query.get("host", parts.hostname or ""),
                "PORT": query.get("port", str(parts.port or "")),
                "USER": query.get("user", parts.username or ""),
            }
        },
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
    )
    django.setup()
    from django.db import connection, models, transaction

    class Person(models.Model):
        id = models.BigAutoField(primary_key=True, db_column="_id")
        name = models.TextField()
        amount = models.DecimalField(max_digits=12, decimal_places=2)
        quantity = models.IntegerField()

        class Meta:
            app_label = "benchmark"
            db_table = "person"

    class StagedPerson(models.Model):
        id = models.BigAutoField(primary_key=True, db_column="_id")
        first_name = models.TextField()
        last_name = models.TextField()
        amount = models.DecimalField(max_digits=12, decimal_places=2)
        quantity = models.IntegerField()
        total = models.DecimalField(max_digits=14, decimal_places=2)

        class Meta:
            app_label = "benchmark"
            db_table = "staged_person"

    with transaction.atomic():
        with connection.schema_editor() as editor:
            editor.create_model(StagedPerson)
        batch = []
        for person in Person.objects.iterator(chunk_size=BATCH):
            first, last = split(person.name)
            batch.append(
                StagedPerson(
                    id=person.id,
                    first_name=first,
                    last_name=last,
                    amount=person.amount,
                    quantity=person.quantity,
                    total=person.amount * person.quantity,
                )
            )
            if len(batch) == BATCH:
                StagedPerson.objects.bulk_create(batch)
                batch = []
        StagedPerson.objects.bulk_create(batch)


if __name__ == "__main__":
    ways = {"sqlalchemy": copy_by_sqlalchemy, "django": copy_by_django}
    try:
        ways[sys.argv[1]](sys.argv[2])
    except ImportError as error:
        print(error, file=sys.stderr)
        sys.exit(3)
